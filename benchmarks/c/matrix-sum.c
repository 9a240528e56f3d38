// The sum of two matrices is right in every cell; the unsafe one adds a column to itself.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

#define ROWS 40
int main(void) {
  int rows = __VERIFIER_nondet_int(), columns = __VERIFIER_nondet_int();
  if (rows < 1 || rows > ROWS || columns < 1 || columns > 70)
    return 0;
  unsigned a[ROWS][70], b[ROWS][70], sum[ROWS][70];
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
      a[i][j] = __VERIFIER_nondet_int();
      b[i][j] = __VERIFIER_nondet_int();
    }
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      sum[i][j] = a[i][j] + b[i][j];
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      if (sum[i][j] != a[i][j] + b[i][j])
        reach_error();
  return 0;
}
