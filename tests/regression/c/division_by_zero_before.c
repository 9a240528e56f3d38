// chcverify: --timeout 60 --engine bmc
// Behind a division by zero nothing is known.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int parts = __VERIFIER_nondet_int();
  if (parts < 0 || parts > 4) return 0;
  int share = 12 / parts;
  if (share > 12) reach_error();
  return 0;
}
