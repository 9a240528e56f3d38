// heatshrink: two bytes decode to no more than the buffer holds.
#define HEATSHRINK_DYNAMIC_ALLOC 0
#include "harness.h"
#include "heatshrink/heatshrink_decoder.c"

int main(void) {
  static heatshrink_decoder decoder;
  uint8_t in[2], out[4];
  size_t taken = 0, size = 0;
  FILL(in, 2);
  heatshrink_decoder_reset(&decoder);
  CHECK(heatshrink_decoder_sink(&decoder, in, 2, &taken) == HSDR_SINK_OK && taken == 2);
  HSD_poll_res result = heatshrink_decoder_poll(&decoder, out, 4, &size);
  CHECK(result == HSDR_POLL_EMPTY || result == HSDR_POLL_MORE);
  CHECK(size <= 4);
  return 0;
}
