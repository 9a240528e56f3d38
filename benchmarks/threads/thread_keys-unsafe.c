// Each thread keeps its own cell under a key. Two threads are given the same one.
#include <pthread.h>

extern void reach_error(void);

static void check(int holds) {
  if (!holds)
    reach_error();
}

static pthread_key_t key;
static int cells[2];

static void *work(void *cell) {
  int *own;
  check(pthread_getspecific(key) == 0);
  pthread_setspecific(key, cell);
  own = pthread_getspecific(key);
  *own += 1;
  return 0;
}

int main(void) {
  pthread_t one, other;
  pthread_key_create(&key, 0);
  pthread_create(&one, 0, work, &cells[0]);
  pthread_create(&other, 0, work, &cells[0]);
  pthread_join(one, 0);
  pthread_join(other, 0);
  check(cells[0] == 1);
  return 0;
}
