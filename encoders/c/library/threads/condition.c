// Models of conditions: a wait may end at any time (spurious wake-ups), so that a signal changes nothing.
// The program declares these types, or, of the attributes that are not looked at, need not.
typedef int pthread_cond_t;
typedef int pthread_condattr_t;
struct timespec;
typedef struct { struct { int __owner; int __count; int __kind; } __data; } pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) { return 0; }
int pthread_cond_destroy(pthread_cond_t *condition) { return 0; }
int pthread_cond_signal(pthread_cond_t *condition) { return 0; }
int pthread_cond_broadcast(pthread_cond_t *condition) { return 0; }

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  pthread_mutex_unlock(mutex);
  pthread_mutex_lock(mutex);
  return 0;
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time) {
  int late = __VERIFIER_nondet_int();
  pthread_mutex_unlock(mutex);
  pthread_mutex_lock(mutex);
  return late ? 110 : 0;
}
