// A block is unpacked by one inner loop and summed up by another before the buffers change places.
#define BUFFERS 2
#include "transfers.h"

int main(void) {
  int current = 0;

  start(0);
  while (__VERIFIER_nondet_int()) {
    int length = read_length(), count = 0;
    start(1 - current);
    await(current);
    while (count < length && __VERIFIER_nondet_int()) {
      use(current, count);
      count++;
    }
    for (int i = 0; i < count; i++)
      use(current, i);
    current = 1 - current;
  }
  return 0;
}
