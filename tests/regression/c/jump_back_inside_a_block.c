// chcverify: --property valid-memsafety --timeout 60
// The jump stays in the block of the variable that q leads to.
int main(void) {
  int n = 0, *q = 0;
  {
    int y = n;
  again: {
    if (n)
      y = *q;
    q = &y;
    if (n++ < 1)
      goto again;
  }
  }
  return 0;
}
