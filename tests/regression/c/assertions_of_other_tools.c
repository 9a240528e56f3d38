// chcverify: --timeout 60
extern int any(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  __CPROVER_assume(x >= 0);
  __ESBMC_assume(x < 10);
  klee_assume(x != 5);
  __ESBMC_assert(x >= 0, "not negative");
  __CPROVER_assert(x < 9, "one too few");
  return 0;
}
