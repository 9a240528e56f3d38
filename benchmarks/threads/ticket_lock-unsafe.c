// A lock that serves threads in the order of their tickets. Drawing a ticket is no single step.
#include <pthread.h>
#include <stdatomic.h>

extern void reach_error(void);

static void check(int holds) {
  if (!holds)
    reach_error();
}

static atomic_uint next, serving;
static int inside;

static void *run(void *unused) {
  unsigned mine = next;
  next = mine + 1;
  while (serving != mine)
    ;
  inside = inside + 1;
  check(inside == 1);
  inside = inside - 1;
  serving++;
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
