// Unsafe (unreach-call): as cells-of-a-grid.c, but for: column = row == 0
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int rows = __VERIFIER_nondet_ushort() % 4096, columns = __VERIFIER_nondet_ushort() % 4096;
  int cells = 0, total = 0;
  for (int row = 0; row < rows; row++)
    for (int column = row == 0; column < columns; column++) {
      cells++;
      total += 3;
    }
  check(cells == rows * columns);
  check(total == 3 * rows * columns);
  return 0;
}
