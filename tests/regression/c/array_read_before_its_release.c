// chcverify: --timeout 60
// A block holds what was stored until it is released; another block is not changed by that.
#include <assert.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n < 8 || n > 1000) return 0;
  int *a = malloc(n * sizeof(int)), *b = malloc(n * sizeof(int));
  int *c = n > 10 ? a : b;
  a[n - 1] = 5;
  b[3] = 7;
  int last = a[n - 1];
  free(a);
  assert(last == 5 && b[3] == 7);
  free(b);
  return c == 0;
}
