// Safe: The greatest common divisor by subtraction divides its first argument, and is positive.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

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
  if (a < 1 || b < 1)
    return 0;
  int c = gcd(a, b);
  check(c >= 1);
  check(c <= a && c <= b);
  check(a % 2 != 0 || b % 2 == 0 || c % 2 != 0);
  return 0;
}
