// tiny-AES-c: one arbitrary column, mixed and mixed back.
#include "harness.h"
#include "tiny-AES-c/aes.c"

int main(void) {
  state_t state;
  uint8_t before[4];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      state[i][j] = 0;
  for (int j = 0; j < 4; j++)
    before[j] = state[0][j] = __VERIFIER_nondet_uchar();
  MixColumns(&state);
  InvMixColumns(&state);
  for (int j = 0; j < 4; j++)
    CHECK(before[j] == state[0][j]);
  return 0;
}
