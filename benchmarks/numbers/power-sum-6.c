// Safe: The sum of the sixth powers, multiplied by 42 so that no quotient is needed, for any n.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  long long n = __VERIFIER_nondet_int();
  long long k = 0, sum = 0;
  while (1) {
    check(42 * sum == 6 * k * k * k * k * k * k * k + 21 * k * k * k * k * k * k + 21 * k * k * k * k * k - 7 * k * k * k + k);
    if (k >= n)
      break;
    k = k + 1;
    sum = sum + k * k * k * k * k * k;
  }
  check(42 * sum == k * (6 * k * k * k * k * k * k + 21 * k * k * k * k * k + 21 * k * k * k * k - 7 * k * k + 1));
  return 0;
}
