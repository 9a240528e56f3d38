// chcverify: --timeout 60 --property termination
// The clauses have bit-vectors; ranks are found for those in which x & (x - 1) is any number up to both.
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), s = __VERIFIER_nondet_uint(), bits = 0, steps = 0;
  for (unsigned y = x; y; y &= y - 1) bits ^= y;
  if (s < 1 || s > 31) return 0;
  while (x) { x >>= s; steps++; }
  return 0;
}
