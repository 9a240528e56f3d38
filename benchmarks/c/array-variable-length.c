// The length is computed, sizeof with it.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = 3 + (__VERIFIER_nondet_int() ? 1 : 0);
  int a[n];
  for (int i = 0; i < n; i++)
    a[i] = i;
  if (a[n - 1] != n - 1 || sizeof(a) != n * sizeof(int))
    reach_error();
  return 0;
}
