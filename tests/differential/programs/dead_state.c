/* An assignment that nobody reads takes its value from state that is dead. */
long g0 = 62;
unsigned int g2 = 16;
static int row(long (*a)[3], int i) { a[i][1] += i; return a[i][0] + (*a)[2] + *(a[1] + 1); }
int main(void) {
  _Bool flag = __VERIFIER_nondet_bool();
  short w = ~sizeof(unsigned);
  long arr[70] = {4, g0 - g2};
  long m[2][3] = {{1}, [1][2] = flag};
  int r = row(m, 0);
  long *p = m[1];
  p++;
  m[1][0 & 1] = ((13 >= p[-1] + r) + ((unsigned long long)w - arr[1]));
  out_0 = m[0][1];
  out_1 = r;
  out_2 = *(*(m + 1) + 2);
  out_3 = w;
  finish();
  return 0;
}
