// As double-length.c, but the buffers do not change places.
#define BUFFERS 2
#include "../k_induction/transfers.h"

int main(void) {
  int current = 0, length = read_length();

  start(0);
  while (__VERIFIER_nondet_int()) {
    int next_length = read_length();
    start(1 - current);
    await(current);
    for (int i = 0; i < length; i++)
      use(current, i);
    length = next_length;
  }
  return 0;
}
