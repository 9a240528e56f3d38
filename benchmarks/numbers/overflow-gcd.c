// Safe: Differences of positive numbers fit.
extern int __VERIFIER_nondet_int(void);

static int gcd(int a, int b) {
  if (a == b)
    return a;
  if (a > b)
    return gcd(a - b, b);
  return gcd(a, b - a);
}

int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  if (a <= 0 || b <= 0)
    return 0;
  return gcd(a, b) - gcd(b, a) == 0;
}
