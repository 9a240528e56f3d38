// Every third cell is set, the others stay; the unsafe one looks at every cell.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 9000)
    return 0;
  int a[n];
  for (int i = 0; i < n; i++)
    a[i] = i;
  for (int i = 0; i < n; i += 3)
    a[i] = -1;
  for (int i = 0; i < n; i++)
    if ( a[i] != -1)
      reach_error();
  return 0;
}
