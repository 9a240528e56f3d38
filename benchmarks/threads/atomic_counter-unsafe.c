// Two threads count with an atomic object. Read and write are two steps.
#include <pthread.h>
#include <stdatomic.h>

extern void reach_error(void);

static void check(int holds) {
  if (!holds)
    reach_error();
}

static atomic_int count;

static void *run(void *unused) {
  count = count + 1;
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, run, 0);
  pthread_create(&second, 0, run, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  check(count == 2);
  return 0;
}
