// Unsafe (no-overflow): as overflow-sum-down.c, but for: if (n > 65536)
extern int __VERIFIER_nondet_int(void);

static int sum(int n) {
  if (n <= 0)
    return 0;
  return n + sum(n - 1);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 65536)
    return 0;
  return sum(n) == 10;
}
