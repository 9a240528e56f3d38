// chcverify: --timeout 60
// That of malloc need not be zero.
typedef unsigned long size_t;
void *malloc(size_t size), *calloc(size_t count, size_t size);
void free(void *block);
int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), *p;
  if (n < 1 || n > 8) return 0;
  if (__VERIFIER_nondet_int())
    p = calloc(n, sizeof *p);
  else {
    p = malloc(n * sizeof *p);
    p[n - 1] = 0;
  }
  if (p[0] != 0) reach_error();
  free(p);
  return 0;
}
