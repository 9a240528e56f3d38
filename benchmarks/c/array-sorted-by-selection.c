// Selection sort with its inner loop; the unsafe one compares with the wrong element.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 300)
    return 0;
  int a[n];
  for (int i = 0; i < n; i++)
    a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    int least = i;
    for (int j = i + 1; j < n; j++)
      if (a[j] < a[least])
        least = j;
    int kept = a[i];
    a[i] = a[least];
    a[least] = kept;
  }
  for (int i = 0; i + 1 < n; i++)
    if (a[i] > a[i + 1])
      reach_error();
  return 0;
}
