// Safe: The largest Fibonacci number that fits is the 46th.
extern int __VERIFIER_nondet_int(void);

static int fibonacci(int n) {
  if (n < 2)
    return n < 1 ? 0 : 1;
  return fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 46)
    return 0;
  return fibonacci(n) == 3;
}
