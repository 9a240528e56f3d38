// A matrix of three by three, transposed twice, and its trace.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int a[3][3], b[3][3];
  int trace = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      a[i][j] = __VERIFIER_nondet_int();
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      b[j][i] = a[i][j];
  for (int i = 0; i < 3; i++)
    trace += a[i][i] - b[2 - i][i];
  if (trace != 0)
    reach_error();
  return 0;
}
