// A matrix is copied row by row; the unsafe one leaves out the last column.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int rows = __VERIFIER_nondet_int(), columns = __VERIFIER_nondet_int();
  if (rows < 1 || rows > 100 || columns < 1 || columns > 200)
    return 0;
  int a[rows][columns], b[rows][columns];
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      a[i][j] = __VERIFIER_nondet_int();
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      b[i][j] = a[i][j];
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      if (a[i][j] != b[i][j])
        reach_error();
  return 0;
}
