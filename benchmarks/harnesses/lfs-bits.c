// littlefs without intrinsics: the next power of two, trailing zeros, and the number of ones.
#include "harness.h"
#define LFS_NO_INTRINSICS
#include "littlefs/lfs_util.h"

int main(void) {
  uint32_t value = __VERIFIER_nondet_uint(), ones = 0;
  ASSUME(1 < value && value <= 0x80000000u);
  uint32_t exponent = lfs_npw2(value);
  CHECK(exponent <= 31 && (1u << exponent) >= value && (1u << (exponent - 1)) < value);
  CHECK((value >> lfs_ctz(value) & 1) == 1);
  for (uint32_t rest = value; rest != 0; rest &= rest - 1)
    ones++;
  CHECK(lfs_popc(value) == ones);
  return 0;
}
