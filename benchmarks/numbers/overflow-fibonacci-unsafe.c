// Unsafe (no-overflow): as overflow-fibonacci.c, but for: if (n > 47)
extern int __VERIFIER_nondet_int(void);

static int fibonacci(int n) {
  if (n < 2)
    return n < 1 ? 0 : 1;
  return fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 47)
    return 0;
  return fibonacci(n) == 3;
}
