// Two buffers for input and two for output, which change places together.
#define BUFFERS 4
#include "transfers.h"

int main(void) {
  int input = 0, output = 2;

  start(0);
  start(3);
  while (__VERIFIER_nondet_int()) {
    int length = read_length();
    start(1 - input);
    await(input);
    for (int i = 0; i < length; i++) {
      use(input, i);
      use(output, i);
    }
    start(output);
    input = 1 - input;
    output = 5 - output;
    await(output);
  }
  return 0;
}
