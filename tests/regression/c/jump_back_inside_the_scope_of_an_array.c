// chcverify: --property valid-memsafety --timeout 60
// The jump back leaves the scope of the array, but not the block of the variable behind it; the other one leaves none.
int main(void) {
  int length = 1, *kept = 0, *old = 0;
again:
  if (kept)
    *kept = 2;
  int array[length], behind;
  old = array;
  kept = &behind;
more:
  *old = *kept = 3;
  if (length++ < 3)
    goto more;
  if (length++ < 6)
    goto again;
  return 0;
}
