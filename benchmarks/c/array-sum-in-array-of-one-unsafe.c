// The sum of a block of memory is kept in an array of one element; the unsafe one expects less of it.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1500)
    return 0;
  long sum[1];
  int *a = malloc(sizeof(int) * n);
  for (int i = 0; i < n; i++)
    if (i % 3 == 0)
      a[i] = 1;
    else
      a[i] = 4;
  for (int i = 0; i < n; i++)
    if (i == 0)
      sum[0] = 0;
    else
      sum[0] = sum[0] + a[i];
  if (sum[0] > 2 * n)
    reach_error();
  return 0;
}
