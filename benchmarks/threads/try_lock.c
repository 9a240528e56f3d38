// A thread that does not get the lock does nothing.
#include <pthread.h>

extern void reach_error(void);

static void check(int holds) {
  if (!holds)
    reach_error();
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *run(void *unused) {
  if (pthread_mutex_trylock(&lock) == 0) {
    value = value + 1;
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, run, 0);
  pthread_create(&second, 0, run, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  check(value <= 2);
  return 0;
}
