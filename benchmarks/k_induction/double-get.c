// Input through two buffers: while a block is used, the next one is on its way into the other buffer.
#define BUFFERS 2
#include "transfers.h"

int main(void) {
  int current = 0;

  start(0);
  while (__VERIFIER_nondet_int()) {
    int next = 1 - current, length = read_length();
    start(next);
    await(current);
    for (int i = 0; i < length; i++)
      use(current, i);
    current = next;
  }
  return 0;
}
