// chcverify: --timeout 60
// No run passes both assumptions.
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int), reach_error(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n % 2 == 0 && n < 10);
  __VERIFIER_assume(n > 11);
  if (n != 100) reach_error();
  return 0;
}
