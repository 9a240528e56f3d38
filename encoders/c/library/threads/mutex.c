// Models of mutexes. __data.__owner is the number of the thread that holds the mutex, 0 if none does; kinds as in glibc.
// The program declares these types, or, of the attributes that are not looked at, need not.
typedef struct { struct { int __owner; int __count; int __kind; } __data; } pthread_mutex_t;
typedef struct { int __kind; } pthread_mutexattr_t;

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
  int kind = 0;
  if (attributes)
    kind = attributes->__kind;
  __chcverify_atomic_begin(1);
  mutex->__data.__owner = 0;
  mutex->__data.__count = 0;
  mutex->__data.__kind = kind;
  __chcverify_atomic_end();
  return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) { return 0; }

int pthread_mutexattr_init(pthread_mutexattr_t *attributes) {
  attributes->__kind = 0;
  return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes) { return 0; }

int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int kind) {
  attributes->__kind = kind == 3 ? 0 : kind;
  return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  int self = __chcverify_thread();
  int result = 0;
  __chcverify_atomic_begin(mutex->__data.__owner == 0 ||
                           (mutex->__data.__owner == self && (mutex->__data.__kind == 1 || mutex->__data.__kind == 2)));
  if (mutex->__data.__owner == 0)
    mutex->__data.__owner = self;
  else if (mutex->__data.__kind == 1)
    mutex->__data.__count = mutex->__data.__count + 1;
  else
    result = 35;
  __chcverify_atomic_end();
  return result;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  int self = __chcverify_thread();
  int result = 0;
  __chcverify_atomic_begin(1);
  if (mutex->__data.__owner == 0)
    mutex->__data.__owner = self;
  else if (mutex->__data.__owner == self && mutex->__data.__kind == 1)
    mutex->__data.__count = mutex->__data.__count + 1;
  else
    result = 16;
  __chcverify_atomic_end();
  return result;
}

// A mutex of the normal kind is released whoever holds it.
int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  int self = __chcverify_thread();
  int result = 0;
  __chcverify_atomic_begin(1);
  if (mutex->__data.__kind != 0 && mutex->__data.__owner != self)
    result = 1;
  else if (mutex->__data.__count != 0)
    mutex->__data.__count = mutex->__data.__count - 1;
  else
    mutex->__data.__owner = 0;
  __chcverify_atomic_end();
  return result;
}
