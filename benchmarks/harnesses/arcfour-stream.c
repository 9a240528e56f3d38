// crypto-algorithms: RC4 with a known key, applied twice to four bytes.
#include "harness.h"
#include "crypto-algorithms/arcfour.c"

static void crypt(BYTE data[], size_t size) {
  BYTE state[256], stream[4];
  arcfour_key_setup(state, (const BYTE *)"Key", 3);
  arcfour_generate_stream(state, stream, size);
  for (size_t i = 0; i < size; i++)
    data[i] ^= stream[i];
}

int main(void) {
  BYTE data[4], before[4];
  for (int i = 0; i < 4; i++)
    before[i] = data[i] = __VERIFIER_nondet_uchar();
  crypt(data, 4);
  crypt(data, 4);
  for (int i = 0; i < 4; i++)
    CHECK(data[i] == before[i]);
  return 0;
}
