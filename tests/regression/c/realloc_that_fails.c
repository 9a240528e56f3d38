// chcverify: --property undefined-behaviour,leak --timeout 60
// The old block is lost where realloc fails.
#include <stdlib.h>
int main(void) {
  char *p = malloc(2);
  if (!p) return 0;
  p = realloc(p, 4);
  free(p);
  return 0;
}
