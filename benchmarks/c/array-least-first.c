// The step of a selection sort brings the least element to the front; the unsafe one starts too late.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 2 || n > 5000)
    return 0;
  int a[n];
  for (int i = 0; i < n; i++)
    a[i] = __VERIFIER_nondet_int();
  int least = 0;
  for (int i = 1; i < n; i++)
    if (a[i] < a[least])
      least = i;
  int kept = a[0];
  a[0] = a[least];
  a[least] = kept;
  for (int i = 0; i < n; i++)
    if (a[i] < a[0])
      reach_error();
  return 0;
}
