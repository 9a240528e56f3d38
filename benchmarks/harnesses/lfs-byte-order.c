// littlefs without intrinsics: words to bytes in both orders, and back.
#include "harness.h"
#define LFS_NO_INTRINSICS
#include "littlefs/lfs_util.h"

int main(void) {
  uint32_t value = __VERIFIER_nondet_uint();
  CHECK(lfs_fromle32(lfs_tole32(value)) == value);
  CHECK(lfs_frombe32(lfs_tobe32(value)) == value);
  return 0;
}
