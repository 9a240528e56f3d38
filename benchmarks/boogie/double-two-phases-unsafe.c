// As double-two-phases.c, but the second phase begins with the other buffer.
#define BUFFERS 2
#include "../k_induction/transfers.h"

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
    use(1 - current, 0);
    for (int i = 0; i < count; i++)
      use(current, i);
    current = 1 - current;
  }
  return 0;
}
