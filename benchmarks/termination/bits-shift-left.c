// Ends after 32 steps: all bits are shifted out.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  int zeros = 0;
  while (x) {
    x <<= 1;
    zeros++;
  }
  return zeros;
}
