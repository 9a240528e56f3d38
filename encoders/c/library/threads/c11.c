// Models of C11's <threads.h>: mutexes, conditions and call_once. thrd_success is 0, thrd_busy 1, thrd_timedout 4.
// The program declares these types.
typedef struct { int __owner; int __count; int __kind; } mtx_t;
typedef struct { int __data; } once_flag;
typedef int cnd_t;
struct timespec;
int pthread_once(int *once, void (*function)(void));

int mtx_init(mtx_t *mutex, int kind) {
  __chcverify_atomic_begin(1);
  mutex->__owner = 0;
  mutex->__count = 0;
  mutex->__kind = kind & 1;
  __chcverify_atomic_end();
  return 0;
}

void mtx_destroy(mtx_t *mutex) { }

int mtx_lock(mtx_t *mutex) {
  int self = __chcverify_thread();
  __chcverify_atomic_begin(mutex->__owner == 0 || (mutex->__owner == self && mutex->__kind == 1));
  if (mutex->__owner == 0)
    mutex->__owner = self;
  else
    mutex->__count = mutex->__count + 1;
  __chcverify_atomic_end();
  return 0;
}

int mtx_trylock(mtx_t *mutex);

// It never waits for ever: a wait that ends well is an attempt at a later time.
int mtx_timedlock(mtx_t *mutex, const struct timespec *time) {
  return __VERIFIER_nondet_int() || mtx_trylock(mutex) ? 4 : 0;
}

int mtx_trylock(mtx_t *mutex) {
  int self = __chcverify_thread();
  int result = 0;
  __chcverify_atomic_begin(1);
  if (mutex->__owner == 0)
    mutex->__owner = self;
  else if (mutex->__owner == self && mutex->__kind == 1)
    mutex->__count = mutex->__count + 1;
  else
    result = 1;
  __chcverify_atomic_end();
  return result;
}

// That the calling thread holds the mutex is required (7.26.4.6); where it does not, the mutex is released all the same.
int mtx_unlock(mtx_t *mutex) {
  __chcverify_atomic_begin(1);
  if (mutex->__count != 0)
    mutex->__count = mutex->__count - 1;
  else
    mutex->__owner = 0;
  __chcverify_atomic_end();
  return 0;
}

// A wait may end at any time (spurious wake-ups), so that a signal changes nothing.
int cnd_init(cnd_t *condition) { return 0; }
void cnd_destroy(cnd_t *condition) { }
int cnd_signal(cnd_t *condition) { return 0; }
int cnd_broadcast(cnd_t *condition) { return 0; }

int cnd_wait(cnd_t *condition, mtx_t *mutex) {
  mtx_unlock(mutex);
  return mtx_lock(mutex);
}

int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *time) {
  int late = __VERIFIER_nondet_int();
  mtx_unlock(mutex);
  mtx_lock(mutex);
  return late ? 4 : 0;
}

void call_once(once_flag *flag, void (*function)(void)) { pthread_once(&flag->__data, function); }
