// chcverify: --timeout 60
// A released block of a size that is not known holds any value.
#include <assert.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n < 8 || n > 1000) return 0;
  char *a = malloc(n), *b = malloc(n), *c = n > 10 ? a : b;
  a[6] = 5;
  b[6] = 5;
  free(c);
  assert(a[6] == 5);
  return 0;
}
