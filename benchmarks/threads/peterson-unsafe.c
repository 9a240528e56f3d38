// Peterson's lock for two threads. One of them gives the turn away before it says that it wants in.
#include <pthread.h>
#include <stdatomic.h>

extern void reach_error(void);

static void check(int holds) {
  if (!holds)
    reach_error();
}

static atomic_int wants_first, wants_second, turn;
static int inside;

static void *first(void *unused) {
  turn = 2;
  wants_first = 1;
  while (wants_second && turn == 2)
    ;
  inside = inside + 1;
  check(inside == 1);
  inside = inside - 1;
  wants_first = 0;
  return 0;
}

static void *second(void *unused) {
  wants_second = 1;
  turn = 1;
  while (wants_first && turn == 1)
    ;
  inside = inside + 1;
  check(inside == 1);
  inside = inside - 1;
  wants_second = 0;
  return 0;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, first, 0);
  pthread_create(&other, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
