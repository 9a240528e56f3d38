// chcverify: --timeout 120 --property no-data-race
#include <pthread.h>

// Reads of volatile objects are accesses: who changes them is the other thread.
static volatile int flag;
static int seen;

static void *set(void *unused) {
  flag = 1;
  return 0;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, set, 0);
  seen = flag;
  pthread_join(other, 0);
  return seen;
}
