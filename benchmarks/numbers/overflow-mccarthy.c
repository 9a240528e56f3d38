// Safe: The function of McCarthy goes at most eleven above a hundred.
extern int __VERIFIER_nondet_int(void);

static int f(int n) {
  if (n > 100)
    return n - 10;
  return f(f(n + 11));
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 2147483566)
    return 0;
  return f(n) + f(89) == 182;
}
