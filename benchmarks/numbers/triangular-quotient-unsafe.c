// Unsafe (unreach-call): as triangular-quotient.c, but for: while (i < n || i == 5)
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  unsigned long long n = __VERIFIER_nondet_uint();
  unsigned long long i = 0, sum = 0;
  while (i < n || i == 5) {
    sum += i;
    i++;
  }
  check(sum == n * (n + 1) / 2);
  return 0;
}
