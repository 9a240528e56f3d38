// chcverify: --timeout 60
// An interrupt handler may count between two reads.
#include <assert.h>
static volatile unsigned ticks;
int main(void) {
  unsigned before = ticks;
  unsigned after = ticks;
  assert(after == before);
  return 0;
}
