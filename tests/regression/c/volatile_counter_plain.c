// chcverify: --timeout 60 --volatile plain
// As volatile_counter.c, but nobody else is there.
#include <assert.h>
static volatile unsigned ticks;
int main(void) {
  unsigned before = ticks;
  unsigned after = ticks;
  assert(after == before);
  return 0;
}
