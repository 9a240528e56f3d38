// chcverify: --timeout 60
#include <assert.h>
#include <stdlib.h>
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void (*sort)(void *, size_t, size_t, int (*)(const void *, const void *)) = qsort;
int main(void) {
  int a[2] = {2, 1};
  sort(a, 2, sizeof *a, order);
  assert(a[0] == 2);
  return 0;
}
