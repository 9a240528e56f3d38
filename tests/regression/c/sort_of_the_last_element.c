// chcverify: --property bounds --timeout 60
// The last element alone is sorted.
#include <stdlib.h>
static int order(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
int main(void) {
  char text[4] = "abc";
  qsort(text + 3, 1, 1, order);
  return 0;
}
