// A semaphore says that the data are there. Nobody waits for it.
#include <pthread.h>
#include <semaphore.h>

extern void reach_error(void);

static void check(int holds) {
  if (!holds)
    reach_error();
}

static sem_t items;
static int data;

static void *producer(void *unused) {
  data = 5;
  sem_post(&items);
  return 0;
}

int main(void) {
  pthread_t thread;
  sem_init(&items, 0, 0);
  pthread_create(&thread, 0, producer, 0);
  check(data == 5);
  pthread_join(thread, 0);
  return 0;
}
