// Whoever comes first fills a table, which is looked at without the lock first. The flag is not atomic.
#include <pthread.h>
#include <stdatomic.h>

extern void reach_error(void);

static void check(int holds) {
  if (!holds)
    reach_error();
}

static int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int table;

static void *run(void *unused) {
  if (!ready) {
    pthread_mutex_lock(&lock);
    if (!ready) {
      table = 7;
      ready = 1;
    }
    pthread_mutex_unlock(&lock);
  }
  check(table == 7);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, run, 0);
  pthread_create(&second, 0, run, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
