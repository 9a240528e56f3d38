// Cells at odd indices are changed to what the others are; the unsafe one changes those at even indices.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 7000)
    return 0;
  int a[n];
  for (int i = 0; i < n; i++)
    if (i % 2)
      a[i] = 5;
    else
      a[i] = 2;
  for (int i = 0; i < n; i += 2)
    a[i] = a[i] - 3;
  for (int i = 0; i < n; i++)
    if (a[i] != 2)
      reach_error();
  return 0;
}
