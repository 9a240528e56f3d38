// A sum is the same from the other end; the unsafe one leaves out the first cell.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 4000)
    return 0;
  int a[n];
  for (int i = 0; i < n; i++)
    a[i] = __VERIFIER_nondet_int();
  int forwards = 0, backwards = 0;
  for (int i = 0; i < n; i++)
    forwards += a[i];
  for (int i = n - 1; i >= 0; i--)
    backwards += a[i];
  if (forwards != backwards)
    reach_error();
  return 0;
}
