// One pass of a bubble sort keeps the sum; the unsafe one copies an element.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 2 || n > 1500)
    return 0;
  int a[n];
  for (int i = 0; i < n; i++)
    a[i] = __VERIFIER_nondet_int();
  long before = 0, after = 0;
  for (int i = 0; i < n; i++)
    before += a[i];
  for (int i = 0; i + 1 < n; i++)
    if (a[i] > a[i + 1]) {
      int kept = a[i];
      a[i + 1] = kept;
    }
  for (int i = 0; i < n; i++)
    after += a[i];
  if (before != after)
    reach_error();
  return 0;
}
