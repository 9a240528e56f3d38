// Positive elements go to one array, the others to a second one; the unsafe one takes zero for positive.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 7000)
    return 0;
  int a[n];
  for (int i = 0; i < n; i++)
    a[i] = __VERIFIER_nondet_int();
  int positive[n], other[n], p = 0, q = 0;
  for (int i = 0; i < n; i++)
    if (a[i] > 0)
      positive[p++] = a[i];
    else
      other[q++] = a[i];
  for (int i = 0; i < p; i++)
    if (positive[i] <= 0)
      reach_error();
  for (int i = 0; i < q; i++)
    if (other[i] > 0)
      reach_error();
  return 0;
}
