// tiny-AES-c: shifted rows, shifted back.
#include "harness.h"
#include "tiny-AES-c/aes.c"

int main(void) {
  state_t state;
  uint8_t before[16];
  for (int i = 0; i < 16; i++)
    before[i] = state[i / 4][i % 4] = __VERIFIER_nondet_uchar();
  ShiftRows(&state);
  InvShiftRows(&state);
  for (int i = 0; i < 16; i++)
    CHECK(before[i] == state[i / 4][i % 4]);
  return 0;
}
