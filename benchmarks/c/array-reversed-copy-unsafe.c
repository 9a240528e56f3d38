// Unsafe: b gets the elements of a from the last to the first, but for one.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n <= 0 || n > 100000)
    return 0;
  int a[n], b[n];
  for (int i = 0; i < n; i++)
    a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++)
    b[i] = i == 3 ? 0 : a[n - 1 - i];
  for (int i = 0; i < n; i++)
    if (b[i] != a[n - 1 - i])
      reach_error();
  return 0;
}
