// A worker runs until a flag is set. The flag is not atomic.
#include <pthread.h>
#include <stdatomic.h>

extern void reach_error(void);

static void check(int holds) {
  if (!holds)
    reach_error();
}

static int stop;
static int rounds;

static void *run(void *unused) {
  while (!stop)
    rounds = rounds < 100 ? rounds + 1 : 0;
  return 0;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, run, 0);
  stop = 1;
  pthread_join(other, 0);
  check(rounds >= 0 && rounds <= 100);
  return 0;
}
