// A copy in reverse order has the same sum; the unsafe one copies the last element twice.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 2000)
    return 0;
  int a[n];
  for (int i = 0; i < n; i++)
    a[i] = __VERIFIER_nondet_int();
  int b[n];
  for (int i = 0; i < n; i++)
    b[n - 1 - i] = a[i];
  unsigned first = 0, second = 0;
  for (int i = 0; i < n; i++)
    first += a[i];
  for (int i = 0; i < n; i++)
    second += b[i];
  if (first != second)
    reach_error();
  return 0;
}
