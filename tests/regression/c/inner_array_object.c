// chcverify: --property undefined-behaviour --array-bounds object --timeout 60
// Rows are left on purpose; the whole array is not.
int main(void) {
  int a[2][3] = {{0}};
  int i = 4;
  return a[0][i];
}
