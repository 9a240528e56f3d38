// chcverify: --property undefined-behaviour --timeout 60
// The index leaves the row, but not the array of rows (C11 6.5.6, paragraph 8).
int main(void) {
  int a[2][3] = {{0}};
  int i = 4;
  return a[0][i];
}
