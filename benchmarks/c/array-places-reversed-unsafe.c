// The numbers of the places, copied from the last to the first; the unsafe one leaves the first place out.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000)
    return 0;
  int place[n], reversed[n];
  for (int i = 0; i < n; i++)
    place[i] = i;
  for (int i = 1; i < n; i++)
    reversed[n - i - 1] = place[i];
  for (int i = 0; i < n; i++)
    if (reversed[i] != n - i - 1)
      reach_error();
  return 0;
}
