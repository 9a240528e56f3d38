// Unsafe (no-overflow): as overflow-identity.c, but for: return same(n - 1) + (n == 3 ? 2147483647 : 1);
extern int __VERIFIER_nondet_int(void);

static int same(int n) {
  if (n == 0)
    return 0;
  if (n < 0)
    return same(n + 1) - 1;
  return same(n - 1) + (n == 3 ? 2147483647 : 1);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  return same(n) == 3;
}
