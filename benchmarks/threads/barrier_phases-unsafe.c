// Two phases with a barrier between them. Without it.
#include <pthread.h>

extern void reach_error(void);

static void check(int holds) {
  if (!holds)
    reach_error();
}

static pthread_barrier_t all;
static int left, right, sum;

static void *other(void *unused) {
  left = 3;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&all, 0, 2);
  pthread_create(&thread, 0, other, 0);
  right = 4;
  sum = left + right;
  check(sum == 7);
  pthread_join(thread, 0);
  return 0;
}
