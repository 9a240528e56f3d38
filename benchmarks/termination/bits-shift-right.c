// Ends: x is halved.
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void) {
  unsigned long x = __VERIFIER_nondet_ulong();
  int width = 0;
  while (x >> 3) {
    x >>= 1;
    width++;
  }
  return width;
}
