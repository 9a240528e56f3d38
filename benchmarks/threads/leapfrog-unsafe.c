// Two threads overtake each other: each sets its number to one more than the other one's, five times; ten is possible, too.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);

static int left = 0, right = 1;

static void *of_left(void *unused) {
  for (int round = 0; round < 5; round++) {
    __VERIFIER_atomic_begin();
    left = right + 1;
    __VERIFIER_atomic_end();
  }
  return 0;
}

static void *of_right(void *unused) {
  for (int round = 0; round < 5; round++) {
    __VERIFIER_atomic_begin();
    right = left + 1;
    __VERIFIER_atomic_end();
  }
  return 0;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, of_left, 0);
  pthread_create(&other, 0, of_right, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  if (left > 9 || right > 11)
    reach_error();
  return 0;
}
