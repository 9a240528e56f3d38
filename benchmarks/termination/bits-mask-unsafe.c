// Does not end: the bit is rotated.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned mask = 1, key = __VERIFIER_nondet_uint(), count = 0;
  while (mask) {
    if (key & mask) count = 1;
    mask = mask << 1 | mask >> 31;
  }
  return (int)count;
}
