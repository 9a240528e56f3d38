// Cells of a block of memory are cubes; in the unsafe one they are expected to be squares.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 3 || n > 536870911)
    return 0;
  int *a = malloc(sizeof(int) * n);
  for (int i = 0; i < n; i++)
    a[i] = i * i * i;
  for (int i = 0; i < n; i++)
    if (a[i] != i * i * i)
      reach_error();
  return 0;
}
