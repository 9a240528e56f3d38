// Unsafe (no-overflow): as overflow-digits.c, but for: return 2147483647 + digits(n) - n == 1;
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
  return 2147483647 + digits(n) - n == 1;
}
