// Unsafe (unreach-call): as recursive-addition.c, but for: return add(m - 1, n + 1 + (n == -5));
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

static int add(int m, int n) {
  if (n == 0)
    return m;
  if (n > 0)
    return add(m + 1, n - 1);
  return add(m - 1, n + 1 + (n == -5));
}

int main(void) {
  int m = __VERIFIER_nondet_int();
  int n = __VERIFIER_nondet_int();
  if (m < -1000000 || m > 1000000 || n < -1000000 || n > 1000000)
    return 0;
  check(add(m, n) == m + n);
  check(add(m, n) == add(n, m));
  return 0;
}
