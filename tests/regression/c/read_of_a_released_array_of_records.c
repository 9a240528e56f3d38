// chcverify: --timeout 60
// Members of records behind the first one of a released block are any value.
#include <assert.h>
#include <stdlib.h>
struct s {
  int a, b;
};
int main(void) {
  struct s *p = malloc(3 * sizeof *p);
  p[1].b = 5;
  free(p);
  assert(p[1].b == 5);
  return 0;
}
