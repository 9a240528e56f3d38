// chcverify: --timeout 60
// The number may be the address of the function.
extern void reach_error(void);
extern long __VERIFIER_nondet_long(void);
static void f(void) {}
int main(void) {
  void *p = (void *)f;
  void *q = (void *)__VERIFIER_nondet_long();
  if (p == q) reach_error();
  return 0;
}
