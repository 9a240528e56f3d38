// As triple-lock.c, but the lock is released only if a buffer is left.
#define BUFFERS 3
#include "../k_induction/transfers.h"

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
    if (ahead != 2)
      unlock();
    await(current);
    use(current, 0);
    ahead = current;
    current = current == 2 ? 0 : current + 1;
  }
  return 0;
}
