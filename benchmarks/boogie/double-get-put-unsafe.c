// As double-get-put.c, but the output buffers do not change places.
#define BUFFERS 4
#include "../k_induction/transfers.h"

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
    await(5 - output);
  }
  return 0;
}
