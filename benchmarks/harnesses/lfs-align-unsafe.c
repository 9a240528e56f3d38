// littlefs: near the largest number, alignment wraps around.
#include "harness.h"
#include "littlefs/lfs_util.h"

int main(void) {
  uint32_t size = __VERIFIER_nondet_uint(), alignment = __VERIFIER_nondet_uchar();
  ASSUME(alignment != 0);
  CHECK(lfs_alignup(size, alignment) >= size);
  return 0;
}
