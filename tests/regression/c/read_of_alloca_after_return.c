// chcverify: --timeout 60
// Memory of alloca holds any value when its function has returned.
#include <assert.h>
#include <alloca.h>
static int *made(void) {
  int *p = alloca(4 * sizeof(int));
  p[2] = 5;
  return p;
}
int main(void) {
  int *p = made();
  assert(p[2] == 5);
  return 0;
}
