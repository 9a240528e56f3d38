// Output through two buffers: one is filled while the other is on its way. The first transfer is an empty one.
#define BUFFERS 2
#include "transfers.h"

int main(void) {
  int current = 0;

  start(1);
  while (__VERIFIER_nondet_int()) {
    int length = read_length();
    for (int i = 0; i < length; i++)
      use(current, i);
    start(current);
    current = 1 - current;
    await(current);
  }
  return 0;
}
