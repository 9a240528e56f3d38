// chcverify: --timeout 60 --engine bmc
// A null pointer has no contents: the run ends.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int cell = 5;
int main(void) {
  int *p = __VERIFIER_nondet_int() ? &cell : 0;
  if (*p != 5) reach_error();
  return 0;
}
