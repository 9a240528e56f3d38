// chcverify: --timeout 120
// How many characters a string has is not modelled: no violation depends on it, but on a failure.
#include <assert.h>
#include <stdio.h>

int main(void) {
  int r = printf("%s\n", "abc");
  assert(r <= 4);
  return 0;
}
