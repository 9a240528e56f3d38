// crypto-algorithms: rot13 twice gives back a text of at most five characters.
#include "harness.h"
#include "crypto-algorithms/rot-13.c"

int main(void) {
  char text[6], before[6];
  for (int i = 0; i < 5; i++)
    before[i] = text[i] = (char)__VERIFIER_nondet_uchar();
  before[5] = text[5] = 0;
  rot13(text);
  rot13(text);
  for (int i = 0; i < 5; i++)
    CHECK(text[i] == before[i]);
  return 0;
}
