// Threads write to a log of bounded length, and drop what is too much.
#include <pthread.h>

extern void reach_error(void);

static void check(int holds) {
  if (!holds)
    reach_error();
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
enum { LINES = 4 };
static int lines[LINES], length;

static void say(int what) {
  pthread_mutex_lock(&lock);
  if (length < LINES) {
    lines[length] = what;
    length = length + 1;
  }
  pthread_mutex_unlock(&lock);
}

static void *run(void *unused) {
  for (int i = 0; i < 3; i++)
    say(i);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, run, 0);
  pthread_create(&second, 0, run, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  check(length <= LINES);
  return 0;
}
