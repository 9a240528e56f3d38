// libfixmath: saturating addition and subtraction: commutative, and what subtraction undoes.
#include "harness.h"
#include "libfixmath/libfixmath/fix16.c"

int main(void) {
  fix16_t a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  CHECK(fix16_sadd(a, b) == fix16_sadd(b, a));
  fix16_t sum = fix16_add(a, b);
  if (sum != fix16_overflow)
    CHECK(fix16_sub(sum, b) == a);
  return 0;
}
