// chcverify: --timeout 60 --property termination
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
  while (x) x ^= y; // y may be 0, or x comes back every other time
  return 0;
}
