// chcverify: --property valid-memsafety --timeout 60
// The jump leaves the block that the label stands before, and with it the variable that q leads to.
int main(void) {
  int n = 0, *q = 0;
again: {
  int y = n;
  if (n)
    y = *q;
  q = &y;
  if (n++ < 1)
    goto again;
}
  return 0;
}
