// As triple-put.c, but the fourth buffer of two rounds is awaited, which is none.
#define BUFFERS 3
#include "../k_induction/transfers.h"

int main(void) {
  int current = 0;

  start(1);
  start(2);
  while (__VERIFIER_nondet_int()) {
    int length = read_length();
    for (int i = 0; i < length; i++)
      use(current, i);
    start(current);
    current = current == 3 ? 0 : current + 1;
    await(current);
  }
  return 0;
}
