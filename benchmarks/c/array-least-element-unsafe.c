// What a search for the least element keeps is below all elements; the unsafe one begins too late.
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
  int least = a[1];
  for (int i = 2; i < n; i++)
    if (a[i] < least)
      least = a[i];
  for (int i = 0; i < n; i++)
    if (a[i] < least)
      reach_error();
  return 0;
}
