// Two threads of C11 count without a lock what one of them has prepared, and end with numbers.
#include <threads.h>

extern void reach_error(void);

static void check(int holds) {
  if (!holds)
    reach_error();
}

static mtx_t lock;
static once_flag prepared = ONCE_FLAG_INIT;
static int count;

static void prepare(void) {
  count = 10;
}

static int work(void *leave) {
  call_once(&prepared, prepare);
  count++;
  if (leave)
    thrd_exit(7);
  return 5;
}

int main(void) {
  thrd_t one, other;
  int result_of_one, result_of_other;
  mtx_init(&lock, mtx_plain);
  thrd_create(&one, work, 0);
  thrd_create(&other, work, &count);
  thrd_join(one, &result_of_one);
  thrd_join(other, &result_of_other);
  check(result_of_one == 5 && result_of_other == 7);
  check(count == 12);
  return 0;
}
