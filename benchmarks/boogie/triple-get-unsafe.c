// As triple-get.c, but with two buffers ahead at the beginning that do not follow each other.
#define BUFFERS 3
#include "../k_induction/transfers.h"

int main(void) {
  int current = 0, ahead = 2;

  start(0);
  start(2);
  while (__VERIFIER_nondet_int()) {
    int length = read_length();
    start(ahead);
    await(current);
    for (int i = 0; i < length; i++)
      use(current, i);
    ahead = current;
    current = current == 2 ? 0 : current + 1;
  }
  return 0;
}
