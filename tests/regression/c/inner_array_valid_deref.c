// chcverify: --property valid-memsafety --timeout 60
// SV-COMP's property is about objects.
int main(void) {
  int a[2][3] = {{0}};
  int i = 4;
  return a[0][i];
}
