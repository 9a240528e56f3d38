// An entry of a cache is replaced only while nobody uses it. Nobody asks for that.
#include <pthread.h>

extern void reach_error(void);

static void check(int holds) {
  if (!holds)
    reach_error();
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int key, value, users;

static void *reader(void *unused) {
  pthread_mutex_lock(&lock);
  users = users + 1;
  pthread_mutex_unlock(&lock);
  int found = value;
  int wanted = key;
  check(found == wanted * 2);
  pthread_mutex_lock(&lock);
  users = users - 1;
  pthread_mutex_unlock(&lock);
  return 0;
}

static void *evict(void *unused) {
  pthread_mutex_lock(&lock);
  key = 4;
  value = 8;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, reader, 0);
  pthread_create(&second, 0, evict, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
