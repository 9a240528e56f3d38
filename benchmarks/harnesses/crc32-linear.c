// littlefs: the checksum of a sum is the sum of the checksums, three bytes long.
#include "harness.h"
#include "littlefs/lfs_util.c"

int main(void) {
  uint8_t one[3], other[3], sum[3];
  for (int i = 0; i < 3; i++) {
    one[i] = __VERIFIER_nondet_uchar();
    other[i] = __VERIFIER_nondet_uchar();
    sum[i] = one[i] ^ other[i];
  }
  CHECK(lfs_crc(0, sum, 3) == (lfs_crc(0, one, 3) ^ lfs_crc(0, other, 3)));
  return 0;
}
