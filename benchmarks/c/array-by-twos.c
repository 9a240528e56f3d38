// Cells are written and compared by twos; the unsafe one compares them from the second cell on.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 2 || n > 9000)
    return 0;
  int a[n];
  for (int i = 0; i + 1 < n; i += 2) {
    a[i] = 6;
    a[i + 1] = 9;
  }
  for (int i = 0; i + 1 < n; i += 2)
    if (a[i] != 6 || a[i + 1] != 9)
      reach_error();
  return 0;
}
