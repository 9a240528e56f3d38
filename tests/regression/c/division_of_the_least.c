// chcverify: --timeout 60 --engine bmc
// INT_MIN / -1 ends the run, as on x86.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a > -2147483647 || b != -1) return 0;
  int c = a / b;
  if (c < 0) reach_error();
  return 0;
}
