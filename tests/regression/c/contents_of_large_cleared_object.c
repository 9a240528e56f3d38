// chcverify: --property division --engine bmc --timeout 60
// The clauses know no contents of a large array that is set to zero beside others: no division by zero is told for it
// that no run has.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int small[4] = {1, 2, 3, 4};
  int large[3000] = {0};
  int *p = __VERIFIER_nondet_int() ? small : large;
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 3) return 0;
  return 10 / (large[i] - 1);
}
