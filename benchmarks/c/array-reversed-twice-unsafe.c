// The unsafe twin of array-reversed-twice: one cell is left where it was.
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
  int *given = malloc(sizeof(int) * n);
  int *turned = malloc(sizeof(int) * n);
  int *again = malloc(sizeof(int) * n);
  for (int i = 0; i < n; i++)
    turned[i] = given[n - 1 - i];
  for (int i = 0; i < n; i++)
    again[i] = i == 2 ? turned[i] : turned[n - 1 - i];
  for (int i = 0; i < n; i++)
    check(again[i] == given[i]);
  return 0;
}
