// libfixmath: what addition gives, if it is not the overflow marker, subtraction undoes.
#include "harness.h"
#include "libfixmath/libfixmath/fix16.c"

int main(void) {
  fix16_t a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  fix16_t sum = fix16_add(a, b);
  if (sum != fix16_overflow)
    CHECK(fix16_sub(sum, b) == a);
  return 0;
}
