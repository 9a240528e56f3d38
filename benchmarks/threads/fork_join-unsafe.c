// Two threads add halves, and main adds these. It waits for one of them only.
#include <pthread.h>

extern void reach_error(void);

static void check(int holds) {
  if (!holds)
    reach_error();
}

static int left, right;

static void *add_left(void *unused) {
  for (int i = 0; i < 3; i++)
    left = left + i;
  return 0;
}

static void *add_right(void *unused) {
  for (int i = 3; i < 6; i++)
    right = right + i;
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, add_left, 0);
  pthread_create(&second, 0, add_right, 0);
  pthread_join(first, 0);
  check(left + right == 15);
  return 0;
}
