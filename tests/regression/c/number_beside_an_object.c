// chcverify: --timeout 60
// A number that a pointer holds may be the address of a variable: where pointers hold both, it is not modelled.
extern void reach_error(void);
extern long __VERIFIER_nondet_long(void);
int x;
int main(void) {
  long n = __VERIFIER_nondet_long();
  void *p = n > 5 ? (void *)&x : (void *)n;
  if (n <= 5 && p == (void *)&x) return 0;
  void *q = (void *)n;
  if (q == p && n > 5) reach_error();
  return 0;
}
