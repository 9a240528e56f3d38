// Safe: The integer square root bit by bit, as old libraries have it: at most 16 rounds.
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  unsigned n = __VERIFIER_nondet_ushort();
  unsigned rest = n, root = 0, bit = 1u << 14;
  while (bit > rest)
    bit >>= 2;
  while (bit != 0) {
    if (rest >= root + bit) {
      rest -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
    bit >>= 2;
  }
  check(root * root <= n && n < (root + 1) * (root + 1));
  return 0;
}
