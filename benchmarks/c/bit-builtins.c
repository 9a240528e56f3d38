// Built-in functions on bits.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  if (x && (x >> __builtin_ctz(x) & 1) != 1)
    reach_error();
  if (x > 0xffff && __builtin_clz(x) > 15)
    reach_error();
  if (__builtin_popcount(0xf0f1u) != 9 || __builtin_bswap32(0x12345678u) != 0x78563412u)
    reach_error();
  return 0;
}
