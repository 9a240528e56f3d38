// chcverify: --timeout 60
// The old block of realloc holds any value, that of a larger array too.
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *a = malloc(4 * sizeof(int));
  a[2] = 5;
  int *b = realloc(a, 8 * sizeof(int));
  assert(a[2] == 5);
  return b == 0;
}
