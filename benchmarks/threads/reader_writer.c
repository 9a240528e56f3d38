// A writer keeps two variables together for readers.
#include <pthread.h>

extern void reach_error(void);

static void check(int holds) {
  if (!holds)
    reach_error();
}

static pthread_rwlock_t guard = PTHREAD_RWLOCK_INITIALIZER;
static int low, high;

static void *writer(void *unused) {
  pthread_rwlock_wrlock(&guard);
  low = 1;
  high = 2;
  pthread_rwlock_unlock(&guard);
  return 0;
}

static void *reader(void *unused) {
  pthread_rwlock_rdlock(&guard);
  check(low == 0 || high == 2);
  pthread_rwlock_unlock(&guard);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, writer, 0);
  pthread_create(&second, 0, reader, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
