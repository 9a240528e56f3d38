// chcverify: --property valid-memsafety --timeout 60
// A negative number is a great one of size_t, of which calloc gives null.
typedef unsigned long size_t;
void *calloc(size_t count, size_t size);
void free(void *block);
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n == 0) return 0;
  long *p = calloc(n, sizeof *p);
  p[0] = 1;
  free(p);
  return 0;
}
