// The largest element is the same from either end; the unsafe one starts with zero.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 3500)
    return 0;
  int a[n];
  for (int i = 0; i < n; i++)
    a[i] = __VERIFIER_nondet_int();
  int first = a[0], second = a[n - 1];
  for (int i = 1; i < n; i++)
    if (a[i] > first)
      first = a[i];
  for (int i = n - 2; i >= 0; i--)
    if (a[i] > second)
      second = a[i];
  if (first != second)
    reach_error();
  return 0;
}
