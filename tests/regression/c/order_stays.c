// chcverify: --timeout 60 --engine bmc
// An order that a run has decided stays: there is no violation, and none is printed.
extern void reach_error(void);
int main(void) {
  char a[4], b[4], c[4];
  if (a < b && b < c && c < a) reach_error();
  return 0;
}
