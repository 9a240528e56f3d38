// Safe: The sum of the digits is at most the number.
extern int __VERIFIER_nondet_int(void);

static int digits(int n) {
  if (n < 10)
    return n;
  return n % 10 + digits(n / 10);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0)
    return 0;
  return 2147483647 - n + digits(n) == 1;
}
