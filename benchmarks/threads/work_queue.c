// Two workers take items from a queue.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[4] = {1, 2, 3, 4};
static int head;
static int done[4];

static void *run(void *unused) {
  for (;;) {
    pthread_mutex_lock(&lock);
    int mine = head;
    if (mine < 4)
      head = mine + 1;
    pthread_mutex_unlock(&lock);
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
