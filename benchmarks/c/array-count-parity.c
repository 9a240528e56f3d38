// Each element is even or odd; the unsafe one counts zeros as neither.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 3000)
    return 0;
  int a[n];
  for (int i = 0; i < n; i++)
    a[i] = __VERIFIER_nondet_int();
  int even = 0, odd = 0;
  for (int i = 0; i < n; i++)
    if (a[i] % 2 == 0)
      even++;
  for (int i = n; i > 0; i--)
    if (a[i - 1] % 2 != 0)
      odd++;
  if (even + odd != n)
    reach_error();
  return 0;
}
