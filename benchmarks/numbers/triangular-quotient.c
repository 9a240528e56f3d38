// Safe: The closed form of the sum is a quotient; the products stay within 64 bits.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  unsigned long long n = __VERIFIER_nondet_uint();
  unsigned long long i = 0, sum = 0;
  while (i <= n) {
    sum += i;
    i++;
  }
  check(sum == n * (n + 1) / 2);
  return 0;
}
