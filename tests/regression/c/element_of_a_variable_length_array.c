// chcverify: --property unreach-call --timeout 60
/* What `*m` denotes is the first row, as in `m[0]`; its size is that of a row. */
extern void reach_error(void);

static int sum(int n, int m[][n]) { return m[1][0] * 10 + (*m)[1] + **m + *m[1]; }

int main(void) {
  int n = 2;
  int m[2][n];
  for (int i = 0; i < 4; i++) m[i / 2][i % 2] = i + 1;
  if (sum(2, m) != 36) reach_error();
  if (sizeof *m != 8 || sizeof **m != 4 || *(m[1] + 1) != 4 || m[1] - m[0] != 2 || 1 [m[1]] != 4) reach_error();
  **m = 9;
  int *p = *m;
  if (m[0][0] != 9 || p[2] != 3) reach_error();
  return 0;
}
