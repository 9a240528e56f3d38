// chcverify: --timeout 60 --property termination
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 0;
  while (x < 10) {
    x = __VERIFIER_nondet_int() ? 1 : 0;
  }
  return 0;
}
