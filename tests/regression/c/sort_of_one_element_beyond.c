// chcverify: --property bounds --timeout 60
// The array that qsort sorts has as many elements as it is told (C11 7.22.5.2), also where one alone needs no comparison.
#include <stdlib.h>
static int order(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
int main(void) {
  char text[4] = "abc";
  qsort(text + 4, 1, 1, order);
  return 0;
}
