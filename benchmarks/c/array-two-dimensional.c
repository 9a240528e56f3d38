// Rows and columns do not overlap.
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int m[3][4];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      m[i][j] = 10 * i + j;
  int *p = &m[1][0];
  if (p[3] != 13 || m[2][0] != 20)
    reach_error();
  return 0;
}
