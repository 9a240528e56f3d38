// Output through three buffers: a transfer is awaited two rounds after it was begun.
#define BUFFERS 3
#include "transfers.h"

int main(void) {
  int current = 0;

  start(1);
  start(2);
  while (__VERIFIER_nondet_int()) {
    int length = read_length();
    for (int i = 0; i < length; i++)
      use(current, i);
    start(current);
    current = current == 2 ? 0 : current + 1;
    await(current);
  }
  return 0;
}
