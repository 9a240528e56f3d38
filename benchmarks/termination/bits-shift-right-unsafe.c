// Does not end: -1 >> 1 is -1.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), width = 0;
  while (x != 0) {
    x >>= 1;
    if (width < 64) width++;
  }
  return width;
}
