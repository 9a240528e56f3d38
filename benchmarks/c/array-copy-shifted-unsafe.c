// The unsafe twin of array-copy-shifted: the copy is compared with the cells at the same places.
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
  if (n < 3 || n > 90000)
    return 0;
  int *readings = malloc(sizeof(int) * n);
  int *moved = malloc(sizeof(int) * n);
  for (int i = 1; i < n; i++)
    moved[i - 1] = readings[i];
  for (int i = 0; i < n - 1; i++)
    check(moved[i] == readings[i]);
  return 0;
}
