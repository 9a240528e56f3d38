// Safe: The sum 1 to n fits for n below 2^16.
extern int __VERIFIER_nondet_int(void);

static int sum(int n) {
  if (n <= 0)
    return 0;
  return n + sum(n - 1);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 65535)
    return 0;
  return sum(n) == 10;
}
