// aws-c-common: saturating and checked sums of 64 bits.
#include "harness.h"
#include <aws/common/math.inl>

int main(void) {
  uint64_t a = (uint64_t)__VERIFIER_nondet_uint() << 32 | __VERIFIER_nondet_uint();
  uint64_t b = (uint64_t)__VERIFIER_nondet_uint() << 32 | __VERIFIER_nondet_uint();
  uint64_t sum = aws_add_u64_saturating(a, b);
  CHECK(sum >= a && sum >= b && (sum == a + b || sum == UINT64_MAX));
  CHECK(aws_sub_u64_saturating(sum, b) <= a);
  return 0;
}
