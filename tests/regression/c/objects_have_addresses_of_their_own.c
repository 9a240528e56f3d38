// chcverify: --timeout 120
// Two objects have two addresses (C11 6.5.9p6).
#include <assert.h>

static int first, second;

int main(void) {
  assert(&first != &second);
  return 0;
}
