// libfixmath: the logarithm is the place of the first bit.
#include "harness.h"
#include "libfixmath/libfixmath/uint32.c"

int main(void) {
  uint32_t value = __VERIFIER_nondet_uint();
  uint32_t place = uint32_log2(value);
  CHECK(place < 32);
  if (value != 0)
    CHECK(value >> place == 1);
  return 0;
}
