// chcverify: --timeout 60
// realloc copies the contents of the old block before that holds any value.
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *a = malloc(4 * sizeof(int));
  a[2] = 5;
  a = realloc(a, 8 * sizeof(int));
  assert(a[2] == 5);
  free(a);
  return 0;
}
