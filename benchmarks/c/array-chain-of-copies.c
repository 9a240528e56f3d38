// Copies of copies are the same as the first; the unsafe one leaves out the last element once.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 2000)
    return 0;
  int a[n], b[n], c[n], d[n];
  for (int i = 0; i < n; i++)
    a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++)
    b[i] = a[i];
  for (int i = 0; i < n; i++)
    c[i] = b[i];
  for (int i = 0; i < n; i++)
    d[i] = c[i];
  for (int i = 0; i < n; i++)
    if (d[i] != a[i])
      reach_error();
  return 0;
}
