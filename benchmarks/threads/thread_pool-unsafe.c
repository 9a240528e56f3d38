// A pool of workers counts finished jobs. It counts outside of the lock.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
enum { WORKERS = 3, JOBS = 5 };
static int taken, results;

static void *worker(void *unused) {
  for (;;) {
    pthread_mutex_lock(&lock);
    if (taken == JOBS) {
      pthread_mutex_unlock(&lock);
      return 0;
    }
    taken = taken + 1;
    pthread_mutex_unlock(&lock);
    results = results + 1;
  }
}

int main(void) {
  pthread_t workers[WORKERS];
  for (int i = 0; i < WORKERS; i++)
    pthread_create(&workers[i], 0, worker, 0);
  for (int i = 0; i < WORKERS; i++)
    pthread_join(workers[i], 0);
  return 0;
}
