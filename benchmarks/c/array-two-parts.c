// The front is copied and the back is cleared; the unsafe one clears one cell too few.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 20000)
    return 0;
  int a[n];
  for (int i = 0; i < n; i++)
    a[i] = __VERIFIER_nondet_int();
  int b[n], middle = __VERIFIER_nondet_int();
  if (middle < 0 || middle > n)
    return 0;
  for (int i = 0; i < middle; i++)
    b[i] = a[i];
  for (int i = middle; i < n; i++)
    b[i] = 0;
  for (int i = 0; i < n; i++)
    if (b[i] != (i < middle ? a[i] : 0))
      reach_error();
  return 0;
}
