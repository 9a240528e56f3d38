// Models of locks for readers and writers. __writer: the thread that writes, 0 if none does. Where it locks again, POSIX
// lets it wait or fail with EDEADLK (35); glibc does the latter.
// The program declares these types, or, of the attributes that are not looked at, need not.
typedef struct { struct { int __readers; int __writer; } __data; } pthread_rwlock_t;
typedef int pthread_rwlockattr_t;

int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes) {
  __chcverify_atomic_begin(1);
  lock->__data.__readers = 0;
  lock->__data.__writer = 0;
  __chcverify_atomic_end();
  return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock) { return 0; }

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  int self = __chcverify_thread();
  int result = 35;
  __chcverify_atomic_begin(lock->__data.__writer == 0 || lock->__data.__writer == self);
  if (lock->__data.__writer == 0) {
    lock->__data.__readers = lock->__data.__readers + 1;
    result = 0;
  }
  __chcverify_atomic_end();
  return result;
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
  int result = 16;
  __chcverify_atomic_begin(1);
  if (lock->__data.__writer == 0) {
    lock->__data.__readers = lock->__data.__readers + 1;
    result = 0;
  }
  __chcverify_atomic_end();
  return result;
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  int self = __chcverify_thread();
  int result = 35;
  __chcverify_atomic_begin((lock->__data.__writer == 0 && lock->__data.__readers == 0) || lock->__data.__writer == self);
  if (lock->__data.__writer == 0) {
    lock->__data.__writer = self;
    result = 0;
  }
  __chcverify_atomic_end();
  return result;
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
  int self = __chcverify_thread();
  int result = 16;
  __chcverify_atomic_begin(1);
  if (lock->__data.__writer == 0 && lock->__data.__readers == 0) {
    lock->__data.__writer = self;
    result = 0;
  }
  __chcverify_atomic_end();
  return result;
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  __chcverify_atomic_begin(1);
  if (lock->__data.__writer != 0)
    lock->__data.__writer = 0;
  else if (lock->__data.__readers != 0)
    lock->__data.__readers = lock->__data.__readers - 1;
  __chcverify_atomic_end();
  return 0;
}
