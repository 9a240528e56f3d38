// As double-get, but it awaits the transfer that it has just begun, and then uses the other buffer.
#define BUFFERS 2
#include "transfers.h"

int main(void) {
  int current = 0;

  start(0);
  while (__VERIFIER_nondet_int()) {
    int next = 1 - current, length = read_length();
    start(next);
    await(next);
    for (int i = 0; i < length; i++)
      use(current, i);
    current = next;
  }
  return 0;
}
