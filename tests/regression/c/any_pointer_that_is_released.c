// chcverify: --property valid-memsafety --timeout 60
extern void *__VERIFIER_nondet_pointer(void);
void free(void *block);
int main(void) {
  int *p = __VERIFIER_nondet_pointer();
  free(p);
  return 0;
}
