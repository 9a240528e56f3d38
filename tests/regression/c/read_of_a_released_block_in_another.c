// chcverify: --timeout 60
// What a released block leads to stays, but the way there is any value.
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
  assert(p->items == items);
  return 0;
}
