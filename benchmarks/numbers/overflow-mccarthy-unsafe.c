// Unsafe (no-overflow): as overflow-mccarthy.c, but for: if (n > 2147483567)
extern int __VERIFIER_nondet_int(void);

static int f(int n) {
  if (n > 100)
    return n - 10;
  return f(f(n + 11));
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 2147483567)
    return 0;
  return f(n) + f(89) == 182;
}
