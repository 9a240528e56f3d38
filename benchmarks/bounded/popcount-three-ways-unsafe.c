// Three ways to count the ones of a word.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), y = x, z = x;
  int a = 0, b = 0;
  for (int i = 0; i < 32; i++)
    a += x >> i & 1;
  while (y) {
    y &= y - 1;
    b++;
  }
  z = z - (z >> 1 & 0x55555555);
  z = (z & 0x33333333) + (z >> 2 & 0x33333333);
  z = (z + (z >> 4)) & 0x0f0f0f07;
  z = z * 0x01010101 >> 24;
  if (a != b || a != (int)z)
    reach_error();
  return 0;
}
