// chcverify: --timeout 60
extern void __VERIFIER_assert(int), __SEA_assume(_Bool);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  __SEA_assume(x > 3);
  __VERIFIER_assert(x > 3);
  __VERIFIER_assert(x > 4);
  return 0;
}
