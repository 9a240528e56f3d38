// chcverify: --property unreach-call
// The destructor of a key runs for a value that is not null, however the thread ends.
#include <pthread.h>
#include <assert.h>
static pthread_key_t key;
static int freed;
static void destroy(void *value) { freed += *(int *)value; }
static int one = 1, two = 2;
static void *work(void *value) {
  assert(pthread_getspecific(key) == 0);
  pthread_setspecific(key, value);
  if (value == &two) pthread_exit(0);
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_key_create(&key, destroy);
  pthread_create(&thread, 0, work, &one);
  pthread_join(thread, 0);
  pthread_create(&thread, 0, work, &two);
  pthread_join(thread, 0);
  assert(freed == 2);  // it is 3
  return 0;
}
