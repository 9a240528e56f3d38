// chcverify: --timeout 60
// A violation that needs no division by zero is printed, though the program may divide by it.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int d = __VERIFIER_nondet_int();
  int q = 600 / d;
  if (q == 37) reach_error();
  return 0;
}
