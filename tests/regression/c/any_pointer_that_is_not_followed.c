// chcverify: --property valid-memsafety --timeout 60
// Any pointer may be compared and copied.
extern void *__VERIFIER_nondet_pointer(void);
void *malloc(unsigned long size);
void free(void *block);
int main(void) {
  int *p = malloc(sizeof *p), *q = __VERIFIER_nondet_pointer();
  int *r = q;
  *p = r == p;
  if (q == 0) *p = 2;
  free(p);
  return 0;
}
