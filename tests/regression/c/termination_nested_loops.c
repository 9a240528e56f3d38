// chcverify: --timeout 60 --property termination
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  for (unsigned i = 0; i < n; i++) {
    unsigned j = n;
    while (j > i) {
      j--;
      if (__VERIFIER_nondet_uint()) break;
    }
  }
  return 0;
}
