// All elements grow by one, so the sum by their number; the unsafe one skips the first.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 2500)
    return 0;
  int a[n];
  for (int i = 0; i < n; i++)
    a[i] = __VERIFIER_nondet_int();
  int before = 0, after = 0;
  for (int i = 0; i < n; i++)
    before += a[i];
  for (int i = 0; i < n; i++)
    a[i] = a[i] == 2147483647 ? a[i] : a[i] + 1;
  for (int i = 0; i < n; i++)
    after += a[i] == 2147483647 ? 0 : 1;
  if (after < 0 || after > n)
    reach_error();
  return 0;
}
