// Ends: x & (x - 1) is smaller than x.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), count = 0;
  while (x) {
    x &= x - 1;
    count++;
  }
  return (int)count;
}
