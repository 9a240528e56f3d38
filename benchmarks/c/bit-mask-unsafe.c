// Masks and shifts by constants.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  unsigned b0 = x & 0xff, b1 = x >> 8 & 0xff, high = x >> 16;
  if ((high << 16 | b1 << 8 | b1) != x)
    reach_error();
  return 0;
}
