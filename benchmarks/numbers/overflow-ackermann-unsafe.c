// Unsafe (no-overflow): as overflow-ackermann.c, but for: if (m > 2 || (m > 0 && n > 1000) || n < 0)
extern int __VERIFIER_nondet_int(void);

static int ackermann(int m, int n) {
  if (m <= 0)
    return n + 1;
  if (n <= 0)
    return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void) {
  int m = __VERIFIER_nondet_int();
  int n = __VERIFIER_nondet_int();
  if (m > 2 || (m > 0 && n > 1000) || n < 0)
    return 0;
  return ackermann(m, n) == 5;
}
