// A reader looks at a version before and after what it reads.
#include <pthread.h>
#include <stdatomic.h>

extern void reach_error(void);

static void check(int holds) {
  if (!holds)
    reach_error();
}

static atomic_uint version;
static atomic_int low, high;

static void *writer(void *unused) {
  version++;
  low = 1;
  high = 1;
  version++;
  return 0;
}

static void *reader(void *unused) {
  unsigned before = version;
  int one = low, other = high;
  unsigned after = version;
  if (before == after && before % 2 == 0)
    check(one == other);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, writer, 0);
  pthread_create(&second, 0, reader, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
