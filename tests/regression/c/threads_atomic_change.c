// chcverify: --timeout 120 --property unreach-call
#include <pthread.h>

extern void reach_error(void);

// Two accesses to an atomic object are two steps; a compound assignment is one.
static _Atomic int count;

static void *add(void *unused) {
  count = count + 1;
  return 0;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, add, 0);
  count += 1;
  pthread_join(other, 0);
  if (count != 2)
    reach_error();
  return 0;
}
