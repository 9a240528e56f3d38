// Two workers take items from a queue. They take them without the lock.
#include <pthread.h>

static int items[4] = {1, 2, 3, 4};
static int head;
static int done[4];

static void *run(void *unused) {
  for (;;) {
    int mine = head;
    if (mine < 4)
      head = mine + 1;
    if (mine >= 4)
      return 0;
    done[mine] = items[mine];
  }
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, run, 0);
  pthread_create(&second, 0, run, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
