// chcverify: --timeout 60
#include <pthread.h>
extern void reach_error(void);
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
void *f(void *q) { return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_rwlock_wrlock(&l);
  if (pthread_rwlock_rdlock(&l) == 35) reach_error();
  return 0;
}
