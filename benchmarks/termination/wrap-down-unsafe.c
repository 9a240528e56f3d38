// Does not end: an unsigned number is never negative.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 100, sum = 0;
  for (unsigned i = n; i >= 0; i--) sum ^= i;
  return (int)sum;
}
