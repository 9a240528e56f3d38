// Sorting by exchanges keeps how often a number occurs; the unsafe one forgets half of an exchange.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000)
    return 0;
  int a[n];
  for (int i = 0; i < n; i++)
    a[i] = __VERIFIER_nondet_int();
  int wanted = __VERIFIER_nondet_int(), before = 0, after = 0;
  for (int i = 0; i < n; i++)
    if (a[i] == wanted)
      before++;
  for (int i = 0; i < n; i++) {
    int least = i;
    for (int j = i + 1; j < n; j++)
      if (a[j] < a[least])
        least = j;
    int kept = a[i];
    a[i] = a[least];
    a[least] = kept;
  }
  for (int i = 0; i < n; i++)
    if (a[i] == wanted)
      after++;
  if (before != after)
    reach_error();
  return 0;
}
