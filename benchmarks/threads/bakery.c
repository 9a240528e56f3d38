// Lamport's bakery for two threads.
#include <pthread.h>
#include <stdatomic.h>

extern void reach_error(void);

static void check(int holds) {
  if (!holds)
    reach_error();
}

static atomic_int chooses_first, chooses_second, number_first, number_second;
static int inside;

static void *first(void *unused) {
  chooses_first = 1;
  number_first = number_second + 1;
  chooses_first = 0;
  while (chooses_second)
    ;
  while (number_second != 0 && number_second < number_first)
    ;
  inside = inside + 1;
  check(inside == 1);
  inside = inside - 1;
  number_first = 0;
  return 0;
}

static void *second(void *unused) {
  chooses_second = 1;
  number_second = number_first + 1;
  chooses_second = 0;
  while (chooses_first)
    ;
  while (number_first != 0 && number_first <= number_second)
    ;
  inside = inside + 1;
  check(inside == 1);
  inside = inside - 1;
  number_second = 0;
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
