// Safe: Pointers to the rows of a matrix, and the rows behind them, in one block.
extern unsigned __VERIFIER_nondet_uint(void);
typedef unsigned long size_t;
extern void *malloc(size_t);
extern void free(void *);

int main(void) {
  unsigned rows = __VERIFIER_nondet_uint() % 10 + 1;
  unsigned columns = __VERIFIER_nondet_uint() % 10 + 1;
  int **matrix = malloc(rows * sizeof(int *) + rows * columns * sizeof(int));
  int *cells = (int *)(matrix + rows);
  for (unsigned i = 0; i < rows; i++)
    matrix[i] = cells + i * columns;
  for (unsigned i = 0; i < rows; i++)
    for (unsigned j = 0; j < columns; j++)
      cells[i * columns + j] = 1;
  int *row = matrix[rows - 1];
  row[columns - 1] = 2;
  free(matrix);
  return 0;
}
