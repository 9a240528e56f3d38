// chcverify: --timeout 60 --property uninitialised
// What realloc adds to a block nobody has written (C11 7.22.3.5), also where calloc made the block.
#include <assert.h>
#include <stdlib.h>
int main(void) {
  char *p = calloc(4, 1);
  if (!p) return 0;
  char *q = realloc(p, 8);
  if (!q) return 0;
  if (q[3]) return 1;
  if (q[6]) return 2;
  return 0;
}
