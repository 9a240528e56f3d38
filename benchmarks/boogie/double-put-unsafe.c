// As double-put.c, but no transfer is awaited before the buffer is filled again.
#define BUFFERS 2
#include "../k_induction/transfers.h"

int main(void) {
  int current = 0;

  start(1);
  while (__VERIFIER_nondet_int()) {
    int length = read_length();
    for (int i = 0; i < length; i++)
      use(current, i);
    start(current);
    current = 1 - current;
  }
  return 0;
}
