// chcverify: --engine acceleration --timeout 600 --warn-ub
// The error is reached after 10^5 iterations: the derivation has a cycle, and the trace its first and last turns.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[50000];
int main(void) {
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < 50000; i++)
    a[i] = __VERIFIER_nondet_int();
  int sum = 0;
  for (int i = 0; i < 50000; i++)
    if (a[i] == 7)
      sum++;
  if (sum == 50000 && n == 3)
    reach_error();
}
