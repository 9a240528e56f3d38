// libfixmath: division of a small number by one.
#include "harness.h"
#include "libfixmath/libfixmath/fix16.c"

int main(void) {
  fix16_t a = __VERIFIER_nondet_ushort();
  CHECK(fix16_div(a, fix16_one) == a);
  return 0;
}
