// chcverify: --timeout 60
// Memory of alloca keeps its contents until its function returns.
#include <assert.h>
#include <alloca.h>
static int made(void) {
  int *p = alloca(4 * sizeof(int));
  p[2] = 5;
  return p[2];
}
int main(void) {
  assert(made() == 5);
  return 0;
}
