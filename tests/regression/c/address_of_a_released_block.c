// chcverify: --timeout 30
// A block may get the address of one that was released: neither result of the comparison is certain.
#include <stdlib.h>
void reach_error(void);

int main(void) {
  int *old = malloc(4);
  if (!old) return 0;
  free(old);
  int *fresh = malloc(4);
  if (!fresh) return 0;
  if (old == fresh) reach_error();
  return 0;
}
