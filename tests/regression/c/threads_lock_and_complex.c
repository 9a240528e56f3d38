// chcverify: --property unreach-call
// Whether a lock is free is looked at in the step that takes it, also where operators may be those of complex numbers.
#include <assert.h>
#include <pthread.h>
static double _Complex unused;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside;
static void *work(void *value) {
  pthread_mutex_lock(&lock);
  inside = 1;
  inside = 0;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_mutex_lock(&lock);
  assert(!inside);
  pthread_mutex_unlock(&lock);
  return 0;
}
