// chcverify: --property valid-memsafety --data-model ILP32 --timeout 60
// A pointer that is returned as int, which is as wide.
void *malloc(unsigned size);
void free(void *block);
int __VERIFIER_nondet_int(void);
int made(void) {
  int *p = malloc(sizeof *p);
  *p = 4;
  return (int)p;
}
int main(void) {
  int *p = (int *)made();
  if (*p == 4) free(p);
  return 0;
}
