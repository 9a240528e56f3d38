// chcverify: --property valid-memsafety --timeout 60
// A product that is no size gives null, as in the C library, and no small block.
typedef unsigned long size_t;
void *calloc(size_t count, size_t size);
void free(void *block);
unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
  size_t n = __VERIFIER_nondet_ulong() ? 10 : (1ul << 61) + 1;
  long *p = calloc(n, sizeof *p);
  if (!p) return 0;
  p[9] = 1;
  free(p);
  return 0;
}
