// chcverify: --property undefined-behaviour --all-checks --timeout 60
// A large array that shares its memory with a small one is set to zero: what does not depend on contents is proved.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int small[4] = {1, 2, 3, 4};
  int large[3000] = {0};
  int *p = __VERIFIER_nondet_int() ? small : large;
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 3) return 0;
  p[i] = 7;
  return p[i] != 0;
}
