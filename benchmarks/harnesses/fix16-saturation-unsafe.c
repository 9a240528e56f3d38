// libfixmath: 0 + b is not b for every b under saturation: the overflow marker is a number, too.
#include "harness.h"
#include "libfixmath/libfixmath/fix16.c"

int main(void) {
  fix16_t b = __VERIFIER_nondet_int();
  CHECK(fix16_sadd(0, b) == b);
  return 0;
}
