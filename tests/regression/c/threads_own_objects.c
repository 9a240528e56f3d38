// chcverify: --timeout 120
#include <pthread.h>
extern void reach_error(void);

static _Thread_local int depth = 1;

static void enter(void) { depth++; }

static void *run(void *argument) {
  enter();
  if (depth != 2)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t one;
  enter();
  enter();
  pthread_create(&one, 0, run, 0);
  pthread_join(one, 0);
  if (depth != 3)
    reach_error();
  return 0;
}
