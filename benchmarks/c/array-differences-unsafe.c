// Differences that wrap around, element by element; the unsafe one mixes up neighbours.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 2 || n > 4000)
    return 0;
  int a[n], b[n], c[n];
  for (int i = 0; i < n; i++) {
    a[i] = __VERIFIER_nondet_int();
    b[i] = __VERIFIER_nondet_int();
  }
  for (int i = 0; i < n; i++)
    c[i] = a[i] - b[i > 0 ? i - 1 : i];
  for (int i = 0; i < n; i++)
    if (c[i] != a[i] - b[i])
      reach_error();
  return 0;
}
