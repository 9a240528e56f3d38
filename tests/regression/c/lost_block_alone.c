// chcverify: --property leak --timeout 60
// The property leak stands alone.
#include <stdlib.h>
int main(void) {
  int *a = malloc(4);
  a = 0;
  return 0;
}
