// chcverify: --timeout 60
#include <assert.h>
#include <stdlib.h>
static void *mine(size_t size) { return 0; }
static void *(*allocate)(size_t) = malloc;
int main(void) {
  assert(allocate == malloc && allocate != mine && malloc != 0);
  void (*out)(int) = exit;
  assert(out == exit && out);
  allocate = mine;
  assert(allocate != malloc && allocate(1) == 0);
  return 0;
}
