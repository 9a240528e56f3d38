// A copy of all elements but one; the unsafe one leaves out the one after it.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000)
    return 0;
  int a[n], b[n], kept = __VERIFIER_nondet_int();
  if (kept < 0 || kept >= n)
    return 0;
  for (int i = 0; i < n; i++) {
    a[i] = __VERIFIER_nondet_int();
    b[i] = __VERIFIER_nondet_int();
  }
  for (int i = 0; i < n; i++)
    if (i != kept + 1)
      b[i] = a[i];
  for (int i = 0; i < n; i++)
    if (i != kept && a[i] != b[i])
      reach_error();
  return 0;
}
