// chcverify: --timeout 120 --property no-data-race --volatile fresh
#include <pthread.h>

static volatile int flag;

static void *set(void *unused) {
  flag = 1;
  return 0;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, set, 0);
  return flag;
}
