// The sums of two parts are the sum of the whole; the unsafe one adds the cell between them twice.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 6000)
    return 0;
  int a[n];
  for (int i = 0; i < n; i++)
    a[i] = __VERIFIER_nondet_int();
  int middle = __VERIFIER_nondet_int();
  if (middle < 0 || middle >= n)
    return 0;
  int whole = 0, part = 0, rest = 0;
  for (int i = 0; i < n; i++)
    whole += a[i];
  for (int i = 0; i <= middle; i++)
    part += a[i];
  for (int i = middle; i < n; i++)
    rest += a[i];
  if (whole != (int)((unsigned)part + (unsigned)rest))
    reach_error();
  return 0;
}
