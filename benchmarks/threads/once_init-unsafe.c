// A table is filled once. Each thread does it.
#include <pthread.h>

extern void reach_error(void);

static void check(int holds) {
  if (!holds)
    reach_error();
}

static pthread_once_t begun = PTHREAD_ONCE_INIT;
static int table;

static void fill(void) { table = table + 1; }

static void *run(void *unused) {
  fill();
  check(table == 1);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, run, 0);
  pthread_create(&second, 0, run, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
