// cJSON: four hexadecimal digits, written and read.
#include "harness.h"
#include "cJSON/cJSON.c"

int main(void) {
  unsigned value = __VERIFIER_nondet_ushort();
  unsigned char text[4];
  for (int i = 0; i < 4; i++)
    text[i] = (unsigned char)"0123456789aBcDeF"[value >> (12 - 4 * i) & 15];
  CHECK(parse_hex4(text) == value);
  return 0;
}
