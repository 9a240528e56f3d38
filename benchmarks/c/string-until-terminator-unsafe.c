// A string is copied up to its terminator; the unsafe one leaves out its first character.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 8000)
    return 0;
  int from[n], to[n];
  for (int i = 0; i < n; i++)
    from[i] = __VERIFIER_nondet_int();
  from[n - 1] = 0;
  int i = from[0] != 0;
  while (from[i] != 0) {
    to[i] = from[i];
    i++;
  }
  to[i] = 0;
  for (int k = 0; k < i; k++)
    if (to[k] != from[k] || to[k] == 0)
      reach_error();
  return 0;
}
