// chcverify: --timeout 120 --property valid-memsafety
#include <pthread.h>

static int seen;

static void *use(void *argument) {
  seen = *(int *)argument;
  return 0;
}

// The thread may use x after its function has returned.
static void start(pthread_t *other) {
  int x = 1;
  pthread_create(other, 0, use, &x);
}

int main(void) {
  pthread_t other;
  start(&other);
  pthread_join(other, 0);
  return seen;
}
