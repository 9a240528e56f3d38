// chcverify: --timeout 60
// The memory of calloc is zero whatever its size is, and may be that of malloc.
typedef unsigned long size_t;
void *malloc(size_t size), *calloc(size_t count, size_t size);
unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  int *fresh = malloc(sizeof *fresh), *zeros = calloc(n, sizeof *zeros);
  *fresh = 5;
  int *p = n ? zeros : fresh;
  if (n && p[n - 1] != 0) reach_error();
  if (*fresh != 5) reach_error();
  return 0;
}
