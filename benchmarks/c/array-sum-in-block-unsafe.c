// The sum is kept in a block of memory; the unsafe one expects less.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 3 || n > 536870911)
    return 0;
  int *a = malloc(sizeof(int) * n);
  long long *sum = malloc(sizeof(long long));
  sum[0] = 0;
  for (int i = 0; i < n; i++)
    a[i] = 1;
  for (int i = 0; i < n; i++)
    sum[0] = sum[0] + a[i];
  if (sum[0] >= n)
    reach_error();
  return 0;
}
