// chcverify: --timeout 60
#include <assert.h>
static unsigned down(unsigned n);
static unsigned (*step)(unsigned) = down;
static unsigned down(unsigned n) { return n == 0 ? 0 : 1 + step(n - 1); }
int main(void) {
  assert(step(4) == 4);
  return 0;
}
