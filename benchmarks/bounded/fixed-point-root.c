// The digit-by-digit square root of a 16-bit number.
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned n = __VERIFIER_nondet_ushort(), root = 0, rest = n;
  for (unsigned bit = 1u << 14; bit != 0; bit >>= 2) {
    if (rest >= root + bit) {
      rest -= root + bit;
      root = (root >> 1) + bit;
    } else
      root >>= 1;
  }
  if (root * root > n || (root + 1) * (root + 1) <= n)
    reach_error();
  return 0;
}
