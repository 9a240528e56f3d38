// chcverify: --timeout 60
extern void *__VERIFIER_nondet_pointer(void);
extern void reach_error(void);
int g = 1;
int main(void) {
  int *p = &g, *q = __VERIFIER_nondet_pointer();
  if (q) *q = 5;
  if (*p != 1) reach_error();
  return 0;
}
