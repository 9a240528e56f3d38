// Safe: A result that is the argument fits.
extern int __VERIFIER_nondet_int(void);

static int same(int n) {
  if (n == 0)
    return 0;
  if (n < 0)
    return same(n + 1) - 1;
  return same(n - 1) + 1;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  return same(n) == 3;
}
