// libfixmath: the square root of a number below one: not negative, and its square near the number.
#include "harness.h"
#include "libfixmath/libfixmath/fix16_sqrt.c"

int main(void) {
  fix16_t a = __VERIFIER_nondet_uchar();
  long long root = fix16_sqrt(a);
  CHECK(root >= 0);
  CHECK((root - 1) * (root - 1) <= ((long long)a << 16) || root == 0);
  CHECK((root + 1) * (root + 1) >= ((long long)a << 16));
  return 0;
}
