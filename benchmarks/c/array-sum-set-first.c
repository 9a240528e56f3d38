// The first step of the loop sets the sum; in the unsafe one a cell is too large.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 3 || n > 536870911)
    return 0;
  int *a = malloc(sizeof(int) * n);
  int *sum = malloc(sizeof(int));
  for (int i = 0; i < n; i++)
    a[i] = i % 2 ? 0 : 2;
  for (int i = 0; i < n; i++) {
    if (i == 0)
      sum[0] = 0;
    else
      sum[0] = sum[0] + a[i];
  }
  if (sum[0] > 2 * n)
    reach_error();
  return 0;
}
