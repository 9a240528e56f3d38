// Models of spin locks: 0 if nobody holds them, else 1.
// The program declares these types, or, of the attributes that are not looked at, need not.
typedef volatile int pthread_spinlock_t;

int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
  __chcverify_atomic_begin(1);
  *lock = 0;
  __chcverify_atomic_end();
  return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *lock) { return 0; }

int pthread_spin_lock(pthread_spinlock_t *lock) {
  __chcverify_atomic_begin(*lock == 0);
  *lock = 1;
  __chcverify_atomic_end();
  return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *lock) {
  int result = 16;
  __chcverify_atomic_begin(1);
  if (*lock == 0) {
    *lock = 1;
    result = 0;
  }
  __chcverify_atomic_end();
  return result;
}

int pthread_spin_unlock(pthread_spinlock_t *lock) {
  __chcverify_atomic_begin(1);
  *lock = 0;
  __chcverify_atomic_end();
  return 0;
}
