// chcverify: --timeout 60 --property unreach-call
#include <pthread.h>

extern void reach_error(void);
static _Atomic int count;

static void *add(void *argument) {
  if (++count == 3) reach_error();
  return argument;
}

// A run was over before the first thread took a step: a loop that only starts threads was one step of main.
int main(void) {
  pthread_t other;
  while (1) pthread_create(&other, 0, add, 0);
}
