// All elements move one place to the back; the unsafe one goes the wrong way.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 2 || n > 6000)
    return 0;
  int a[n];
  for (int i = 0; i < n; i++)
    a[i] = __VERIFIER_nondet_int();
  int b[n];
  for (int i = 0; i < n; i++)
    b[i] = a[i];
  for (int i = n - 1; i > 0; i--)
    a[i] = a[i - 1];
  for (int i = 1; i < n; i++)
    if (a[i] != b[i - 1])
      reach_error();
  return 0;
}
