// A count is kept in a block, and added to each cell; the unsafe one expects one less.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 3 || n > 536870911)
    return 0;
  int *a = malloc(sizeof(int) * n);
  int *count = malloc(sizeof(int));
  count[0] = 0;
  for (int i = 0; i < n; i++)
    a[i] = i;
  for (int i = 0; i < n; i++)
    if (a[i] >= 0)
      count[0] = count[0] + 1;
  for (int i = 0; i < n; i++)
    a[i] = count[0] + i;
  for (int i = 0; i < n; i++)
    if (a[i] != n + i)
      reach_error();
  return 0;
}
