// chcverify: --timeout 60 --property termination
extern int __VERIFIER_nondet_int(void);
int main(void) {
  long x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  while (x > 0) { // no linear rank: y decreases, until x does
    x += y;
    y--;
    if (y < -100000) return 1;
  }
  return 0;
}
