// crypto-algorithms: base64 of three bytes, decoded again.
#include "harness.h"
#include "crypto-algorithms/base64.c"

int main(void) {
  BYTE in[3], text[8], out[8];
  FILL(in, 3);
  size_t size = base64_encode(in, text, 3, 0);
  CHECK(size == 4);
  CHECK(base64_decode(text, out, size) == 3);
  for (int i = 0; i < 3; i++)
    CHECK(in[i] == out[i]);
  return 0;
}
