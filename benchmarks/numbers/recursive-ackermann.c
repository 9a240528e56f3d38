// Safe: Ackermann's function is larger than its second argument.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

static int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void) {
  int m = __VERIFIER_nondet_int();
  int n = __VERIFIER_nondet_int();
  if (m < 0 || m > 3 || n < 0 || n > 23)
    return 0;
  check(ackermann(m, n) > n);
  check(m < 2 || ackermann(m, n) > 2 * n);
  return 0;
}
