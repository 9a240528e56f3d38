// littlefs: the checksum of four bytes in two parts is that of them together.
#include "harness.h"
#include "littlefs/lfs_util.c"

int main(void) {
  uint8_t data[4];
  FILL(data, 4);
  uint32_t start = __VERIFIER_nondet_uint();
  CHECK(lfs_crc(lfs_crc(start, data, 2), data + 2, 2) == lfs_crc(start, data, 4));
  return 0;
}
