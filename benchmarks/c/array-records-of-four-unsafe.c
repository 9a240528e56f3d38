// The unsafe twin of array-records-of-four: the last cell of a late record is too large.
extern void abort(void);
extern void *malloc(unsigned long);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

void check(int holds) {
  if (!holds)
    reach_error();
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 9000)
    return 0;
  int *a = malloc(sizeof(int) * 4 * n);
  for (int i = 0; i < n; i++) {
    a[4 * i] = 5;
    a[4 * i + 1] = 7;
    a[4 * i + 2] = 8;
    a[4 * i + 3] = 8 + (i > 4);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 4; j++)
      check(a[4 * i + j] >= 5 && a[4 * i + j] <= 8);
  return 0;
}
