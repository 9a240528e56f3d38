// chcverify: --timeout 60
// What a released block led to stays.
#include <assert.h>
#include <stdlib.h>
struct s {
  int *items;
};
int main(void) {
  struct s *p = malloc(sizeof *p);
  int *items = malloc(4 * sizeof *items);
  items[3] = 5;
  p->items = items;
  free(p);
  assert(items[3] == 5);
  free(items);
  return 0;
}
