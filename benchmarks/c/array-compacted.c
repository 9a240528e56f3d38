// Zeros are removed in place; the unsafe one keeps a zero at the front.
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
  int kept = 0;
  for (int i = 0; i < n; i++)
    if (a[i] != 0)
      a[kept++] = a[i];
  for (int i = 0; i < kept; i++)
    if (a[i] == 0)
      reach_error();
  return 0;
}
