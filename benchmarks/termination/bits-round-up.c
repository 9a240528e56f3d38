// Ends: size doubles up to 2^30.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), size = 1;
  if (n > 1u << 30) return 0;
  while (size < n) size *= 2;
  return (int)size;
}
