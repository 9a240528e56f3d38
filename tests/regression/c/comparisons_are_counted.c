// chcverify: --timeout 30
// How often qsort compares is not specified (C11 7.22.5.2).
#include <stdlib.h>
void reach_error(void);
static int count;

static int compare(const void *one, const void *other) {
  count++;
  return *(const int *)one - *(const int *)other;
}

int main(void) {
  int cells[3] = {1, 2, 3};
  qsort(cells, 3, sizeof *cells, compare);
  if (count != 2) reach_error();
  return 0;
}
