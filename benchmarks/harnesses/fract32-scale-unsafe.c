// libfixmath: a number times a fraction below one does not always keep its sign: the result of the smallest one overflows.
#include "harness.h"
#include "libfixmath/libfixmath/fract32.c"

int main(void) {
  int value = __VERIFIER_nondet_int();
  fract32_t fraction = __VERIFIER_nondet_uint();
  CHECK(fract32_invert(fract32_invert(fraction)) == fraction);
  if (value < 0)
    CHECK(fract32_smul(value, fraction) != -1);
  return 0;
}
