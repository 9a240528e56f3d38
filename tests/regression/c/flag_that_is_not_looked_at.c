// chcverify: --property no-data-race --timeout 60
#include <pthread.h>
#include <stdatomic.h>

static int x;
static atomic_flag held = ATOMIC_FLAG_INIT;

static void *increment(void *unused) {
  atomic_flag_test_and_set(&held);
  x++;
  atomic_flag_clear(&held);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, increment, 0);
  increment(0);
  pthread_join(t, 0);
  return x - 2;
}
