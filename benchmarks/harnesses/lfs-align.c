// littlefs: a small number aligned upwards is a multiple, and less than one multiple away.
#include "harness.h"
#include "littlefs/lfs_util.h"

int main(void) {
  uint32_t size = __VERIFIER_nondet_ushort(), alignment = __VERIFIER_nondet_uchar();
  ASSUME(alignment != 0);
  uint32_t aligned = lfs_alignup(size, alignment);
  CHECK(aligned % alignment == 0);
  CHECK(aligned >= size && aligned - size < alignment);
  return 0;
}
