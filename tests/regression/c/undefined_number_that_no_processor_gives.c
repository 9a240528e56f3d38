// chcverify: --timeout 60
// A conversion that does not fit and a shift by too many bits give values that C leaves open, but none of them is 5.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  double large = 3e9;
  int number = (int)large;
  if (number == 5) reach_error();
  int bits = __VERIFIER_nondet_int();
  if (bits != 40) return 0;
  int shifted = 1 << bits;
  if (shifted == 5) reach_error();
  return 0;
}
