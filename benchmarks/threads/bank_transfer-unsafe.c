// Transfers between two accounts take two locks. Not in one order.
#include <pthread.h>

extern void reach_error(void);

static void check(int holds) {
  if (!holds)
    reach_error();
}

static pthread_mutex_t lock_a = PTHREAD_MUTEX_INITIALIZER, lock_b = PTHREAD_MUTEX_INITIALIZER;
static int account_a = 10, account_b = 10;

static void *there(void *unused) {
  pthread_mutex_lock(&lock_a);
  pthread_mutex_lock(&lock_b);
  account_a = account_a - 3;
  account_b = account_b + 3;
  pthread_mutex_unlock(&lock_b);
  pthread_mutex_unlock(&lock_a);
  return 0;
}

static void *back(void *unused) {
  pthread_mutex_lock(&lock_b);
  pthread_mutex_lock(&lock_a);
  account_b = account_b - 2;
  account_a = account_a + 2;
  pthread_mutex_unlock(&lock_a);
  pthread_mutex_unlock(&lock_b);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, there, 0);
  pthread_create(&second, 0, back, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  check(account_a + account_b == 20);
  return 0;
}
