// Unsafe (unreach-call): as recursive-hanoi.c, but for: check(m % 2 == 1 && m != 4095);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

static int moves(int n) {
  if (n == 1)
    return 1;
  return 2 * moves(n - 1) + 1;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 31)
    return 0;
  int m = moves(n);
  check(m >= n);
  check(m % 2 == 1 && m != 4095);
  return 0;
}
