// Does not end: of two values low stays the lower one.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned low = 0, high = __VERIFIER_nondet_uint() % 1000, wanted = __VERIFIER_nondet_uint();
  while (low < high) {
    unsigned middle = low + (high - low) / 2;
    if (middle < wanted) low = middle;
    else high = middle;
  }
  return (int)low;
}
