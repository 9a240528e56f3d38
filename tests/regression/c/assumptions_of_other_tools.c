// chcverify: --timeout 60
extern int __VERIFIER_nondet_int(void);
void sassert(int);
int main(void) {
  int x = __VERIFIER_nondet_int();
  __CPROVER_assume(x >= 0);
  __ESBMC_assume(x < 10);
  klee_assume(x != 5);
  __builtin_assume(x != 6);
  __CPROVER_assert(x >= 0 && x < 10, "in the range");
  __ESBMC_assert(x != 5, "without five");
  sassert(x != 6);
  return 0;
}
