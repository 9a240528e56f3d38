// chcverify: --timeout 60
// Every element of a released block is any value, not the first one alone.
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *a = malloc(4 * sizeof(int));
  a[2] = 5;
  free(a);
  assert(a[2] == 5);
  return 0;
}
