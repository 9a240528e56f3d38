// Does not end: above 2^31 size becomes 0 and stays.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), size = 1;
  while (size < n) size *= 2;
  return (int)size;
}
