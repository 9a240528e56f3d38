// Safe: Fibonacci numbers grow at least as their indices.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

static unsigned long long fibonacci(int n) {
  if (n < 1)
    return 0;
  if (n == 1)
    return 1;
  return fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 60)
    return 0;
  check(fibonacci(n) + 1 >= (unsigned long long)n);
  return 0;
}
