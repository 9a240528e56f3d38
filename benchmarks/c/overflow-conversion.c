// Conversions are no overflow, unsigned arithmetic neither.
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned u = __VERIFIER_nondet_uint();
  u = u * 3 + 7;
  int x = u;
  char c = x;
  return c && x + 0u;
}
