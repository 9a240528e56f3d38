// A matrix and its transpose; the unsafe one skips the first row.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int rows = __VERIFIER_nondet_int(), columns = __VERIFIER_nondet_int();
  if (rows < 1 || rows > 50 || columns < 1 || columns > 60)
    return 0;
  int a[rows][columns], b[columns][rows];
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      a[i][j] = __VERIFIER_nondet_int();
  for (int i = 1; i < rows; i++)
    for (int j = 0; j < columns; j++)
      b[j][i] = a[i][j];
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      if (a[i][j] != b[j][i])
        reach_error();
  return 0;
}
