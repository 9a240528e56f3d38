// A flag says that the data are there. It is set too early.
#include <pthread.h>
#include <stdatomic.h>

extern void reach_error(void);

static void check(int holds) {
  if (!holds)
    reach_error();
}

static atomic_int ready;
static int data;

static void *sender(void *unused) {
  ready = 1;
  data = 9;
  return 0;
}

static void *receiver(void *unused) {
  if (ready)
    check(data == 9);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, sender, 0);
  pthread_create(&second, 0, receiver, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
