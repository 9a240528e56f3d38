// Unsafe (unreach-call): as halves-of-squares.c, but for: check(sum == n * n / 4 && sum != 110);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  unsigned n = __VERIFIER_nondet_ushort();
  unsigned i = 0, sum = 0;
  while (i < n) {
    i++;
    sum += i / 2;
  }
  check(sum == (i / 2) * ((i + 1) / 2));
  check(sum == n * n / 4 && sum != 110);
  return 0;
}
