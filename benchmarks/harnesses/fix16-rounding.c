// libfixmath: floor, ceiling, absolute value, and the integer next to a number.
#include "harness.h"
#include "libfixmath/libfixmath/fix16.h"

int main(void) {
  fix16_t a = __VERIFIER_nondet_int();
  CHECK(fix16_floor(a) <= a && a - fix16_floor(a) < fix16_one);
  CHECK(fix16_abs(a) >= 0 || a == fix16_minimum);
  CHECK(fix16_clamp(a, -5, 5) <= 5 && fix16_clamp(a, -5, 5) >= -5);
  int whole = fix16_to_int(a);
  CHECK(whole == fix16_floor(a) >> 16 || whole == (fix16_floor(a) >> 16) + 1);
  return 0;
}
