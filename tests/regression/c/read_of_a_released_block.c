// chcverify: --timeout 60
// What a released block held is any value, also where nobody checks lifetimes.
#include <assert.h>
#include <stdlib.h>
struct s {
  int a, b;
};
int main(void) {
  struct s *p = malloc(sizeof *p);
  p->b = 5;
  free(p);
  assert(p->b == 5);
  return 0;
}
