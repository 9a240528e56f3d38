// Does not end: x & -x is the lowest bit, and stays.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), count = 0;
  while (x) {
    x &= 0u - x;
    count++;
  }
  return (int)count;
}
