// chcverify: --timeout 120
// The address behind one object may be that of another one (C11 6.5.9p6).
#include <assert.h>

static int first, second;

int main(void) {
  assert(&first + 1 != &second);
  return 0;
}
