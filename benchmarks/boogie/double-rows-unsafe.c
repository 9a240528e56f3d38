// As double-rows.c, but the rows of the other buffer are used.
#define BUFFERS 2
#include "../k_induction/transfers.h"

int main(void) {
  int current = 0;

  start(0);
  while (__VERIFIER_nondet_int()) {
    start(1 - current);
    await(current);
    for (int row = 0; row < SIZE; row += 32)
      for (int column = 0; column < 32; column++)
        use(1 - current, row);
    current = 1 - current;
  }
  return 0;
}
