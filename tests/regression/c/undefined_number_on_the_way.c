// chcverify: --timeout 60
// The error does not depend on the value of the shift.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int bits = __VERIFIER_nondet_int();
  if (bits != 40) return 0;
  int shifted = 1 << bits;
  if (shifted != 5) reach_error();
  return 0;
}
