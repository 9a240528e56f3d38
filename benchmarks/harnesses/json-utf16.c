// cJSON: an escaped character of 16 bits becomes one to three bytes, or is refused.
#include "harness.h"
#include "cJSON/cJSON.c"

int main(void) {
  unsigned char in[6], out[4], *end = out;
  in[0] = '\\';
  in[1] = 'u';
  FILL(in + 2, 4);
  unsigned char taken = utf16_literal_to_utf8(in, in + 6, &end);
  CHECK(taken == 0 || taken == 6);
  CHECK(taken == 0 ? end == out : out < end && end <= out + 3);
  if (taken == 6 && end == out + 1)
    CHECK(out[0] < 0x80);
  return 0;
}
