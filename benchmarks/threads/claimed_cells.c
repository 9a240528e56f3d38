// Each thread claims a cell of its own by compare and exchange.
#include <pthread.h>
#include <stdatomic.h>

extern void reach_error(void);

static void check(int holds) {
  if (!holds)
    reach_error();
}

enum { SIZE = 4 };
static atomic_int top;
static int cells[SIZE];

static void *run(void *unused) {
  int mine = atomic_load(&top);
  while (!atomic_compare_exchange_strong(&top, &mine, mine + 1))
    ;
  cells[mine] = 1;
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, run, 0);
  pthread_create(&second, 0, run, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  check(top == 2);
  return 0;
}
