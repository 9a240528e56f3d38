// Gray code and back; neighbours differ in one bit.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  unsigned g = x ^ x >> 1, h = (x + 1) ^ (x + 1) >> 1, y = g;
  for (int s = 1; s < 16; s <<= 1)
    y ^= y >> s;
  unsigned d = g ^ h;
  if (y != x || d == 0 || (d & (d - 1)))
    reach_error();
  return 0;
}
