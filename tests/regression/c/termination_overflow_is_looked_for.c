// chcverify: --timeout 600 --property no-overflow,termination
int main(void) {
  int i = 1;
  while (i > 0) // the run has no meaning for `termination` alone
    i += 1000000;
  return 0;
}
