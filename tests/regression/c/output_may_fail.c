// chcverify: --timeout 120
// Output may fail.
#include <assert.h>
#include <stdio.h>

int main(void) {
  int r = printf("%s\n", "abc");
  assert(r >= 0);
  return 0;
}
