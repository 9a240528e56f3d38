// chcverify: --timeout 30
// What realloc returns may be its argument.
#include <stdlib.h>
void reach_error(void);

int main(void) {
  int *old = malloc(4);
  if (!old) return 0;
  int *fresh = realloc(old, 8);
  if (!fresh) return 0;
  if (old != fresh) reach_error();
  return 0;
}
