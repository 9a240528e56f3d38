// libfixmath: between a number and itself there is only this one.
#include "harness.h"
#include "libfixmath/libfixmath/fix16.c"

int main(void) {
  fix16_t a = __VERIFIER_nondet_int();
  CHECK(fix16_lerp8(a, a, __VERIFIER_nondet_uchar()) == a);
  CHECK(fix16_lerp16(a, a, __VERIFIER_nondet_ushort()) == a);
  return 0;
}
