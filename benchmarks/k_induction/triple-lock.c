// Three buffers, and a lock around the start of a transfer, for which an inner loop tries SIZE times.
#define BUFFERS 3
#include "transfers.h"

static int locked = 0;

static void lock(void) {
  int tries = 0;
  while (tries < SIZE && __VERIFIER_nondet_int())
    tries++;
  if (locked || tries > SIZE)
    reach_error();
  locked = 1;
}

static void unlock(void) {
  if (!locked)
    reach_error();
  locked = 0;
}

int main(void) {
  int current = 0, ahead = 2;

  start(0);
  start(1);
  while (__VERIFIER_nondet_int()) {
    lock();
    start(ahead);
    unlock();
    await(current);
    use(current, 0);
    ahead = current;
    current = current == 2 ? 0 : current + 1;
  }
  return 0;
}
