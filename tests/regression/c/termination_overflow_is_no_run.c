// chcverify: --timeout 15 --property termination
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 1, y = __VERIFIER_nondet_int();
  while (y > 2147483646) { x = 2147483647; x = x + 1 + y; } // only with an overflow, which C leaves undefined
  return x > 5;
}
