// tiny-AES-c: the first four words of the round keys are the key.
#include "harness.h"
#include "tiny-AES-c/aes.c"

int main(void) {
  struct AES_ctx context;
  uint8_t key[16];
  FILL(key, 16);
  AES_init_ctx(&context, key);
  for (int i = 0; i < 16; i++)
    CHECK(context.RoundKey[i] == key[i]);
  return 0;
}
