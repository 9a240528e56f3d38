// chcverify: --property unreach-call --timeout 60
/* A row is no scalar: m + 1 points behind two of them. */
extern void reach_error(void);

int main(void) {
  int n = 2;
  int m[2][n];
  for (int i = 0; i < 4; i++) m[i / 2][i % 2] = i;
  int(*p)[2] = m + 1;
  if ((*p)[1] != 3) reach_error();
  return 0;
}
