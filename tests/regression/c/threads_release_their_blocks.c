// chcverify: --property no-data-race --timeout 60
// Each thread releases the block that it was given, and main one that it takes away under a lock.
#include <pthread.h>
#include <stdlib.h>

static int *shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *own) {
  *(int *)own = 1;
  free(own);
  pthread_mutex_lock(&lock);
  if (shared) *shared = 1;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t, u;
  shared = malloc(sizeof *shared);
  pthread_create(&t, 0, work, malloc(sizeof(int)));
  pthread_create(&u, 0, work, malloc(sizeof(int)));
  pthread_mutex_lock(&lock);
  free(shared);
  shared = 0;
  pthread_mutex_unlock(&lock);
  return 0;
}
