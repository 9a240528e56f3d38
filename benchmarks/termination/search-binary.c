// Ends: high - low falls.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned low = 0, high = __VERIFIER_nondet_uint() % 1000, wanted = __VERIFIER_nondet_uint();
  while (low < high) {
    unsigned middle = low + (high - low) / 2;
    if (middle < wanted) low = middle + 1;
    else high = middle;
  }
  return (int)low;
}
