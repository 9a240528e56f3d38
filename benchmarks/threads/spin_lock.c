// A spin lock from an atomic exchange.
#include <pthread.h>
#include <stdatomic.h>

extern void reach_error(void);

static void check(int holds) {
  if (!holds)
    reach_error();
}

static atomic_int held;
static int value;

static void acquire(void) {
  while (atomic_exchange(&held, 1))
    ;
}

static void *run(void *unused) {
  acquire();
  value = value + 1;
  atomic_store(&held, 0);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, run, 0);
  pthread_create(&second, 0, run, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  check(value == 2);
  return 0;
}
