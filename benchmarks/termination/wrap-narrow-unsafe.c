// Does not end: i is never 256.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 256) return 0;
  for (unsigned char i = 0; i < n; i++) ;
  return 0;
}
