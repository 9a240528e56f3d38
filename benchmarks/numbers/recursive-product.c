// Safe: Multiplication by repeated addition.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

static int product(int n, int m) {
  if (m < 0)
    return product(n, -m);
  if (m == 0)
    return 0;
  return n + product(n, m - 1);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  int m = __VERIFIER_nondet_int();
  if (n < 0 || n > 46340 || m < 0 || m > 46340)
    return 0;
  check(product(n, m) == n * m);
  return 0;
}
