// Every second element is written; the unsafe one expects it of the others, too.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 2 || n > 6000)
    return 0;
  int a[n];
  for (int i = 0; i < n; i++)
    a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i += 2)
    a[i] = 9;
  for (int i = 0; i < n; i++)
    if (i != 1 && a[i] != 9)
      reach_error();
  return 0;
}
