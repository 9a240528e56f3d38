// A block of memory is made from another one; the unsafe one has another value in the cell at 7.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 2000)
    return 0;
  int *first = malloc(sizeof(int) * n), *second = malloc(sizeof(int) * n);
  for (int i = 0; i < n; i++)
    first[i] = 3 * i;
  for (int i = 0; i < n; i++)
    second[i] = first[i] - i * i;
  for (int i = 0; i < n; i++)
    if (second[i] != 3 * i - i * i)
      reach_error();
  return 0;
}
