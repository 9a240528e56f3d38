// chcverify: --timeout 60
// Mostly a slip of the pen: the assertion is no assertion.
int main(void) {
  int x = 3;
  my_asert(x == 4);
  return 0;
}
