// crypto-algorithms: base64 of five bytes ends with one '=', and decodes to the five bytes.
#include "harness.h"
#include "crypto-algorithms/base64.c"

int main(void) {
  BYTE in[5], text[12], out[12];
  FILL(in, 5);
  size_t size = base64_encode(in, text, 5, 0);
  CHECK(size == 8 && text[7] == '=' && text[6] != '=');
  CHECK(base64_decode(text, out, size) == 5);
  for (int i = 0; i < 5; i++)
    CHECK(in[i] == out[i]);
  return 0;
}
