// Ends: the bit of the mask leaves the word after 32 steps.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned mask = 1, key = __VERIFIER_nondet_uint(), count = 0;
  while (mask) {
    if (key & mask) count++;
    mask <<= 1;
  }
  return (int)count;
}
