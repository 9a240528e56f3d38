// libfixmath: products with one and with two.
#include "harness.h"
#include "libfixmath/libfixmath/fix16.c"

int main(void) {
  fix16_t a = __VERIFIER_nondet_int();
  CHECK(a == fix16_minimum || fix16_mul(a, fix16_one) == a);
  if (-1000 < a && a < 1000)
    CHECK(fix16_mul(a, 2 * fix16_one) == 2 * a);
  return 0;
}
