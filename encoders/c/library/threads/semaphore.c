// Models of semaphores.
// The program declares these types, or, of the attributes that are not looked at, need not.
typedef struct { unsigned __value; } sem_t;

int sem_init(sem_t *semaphore, int shared, unsigned value) {
  __chcverify_atomic_begin(1);
  semaphore->__value = value;
  __chcverify_atomic_end();
  return 0;
}

int sem_destroy(sem_t *semaphore) { return 0; }

int sem_wait(sem_t *semaphore) {
  __chcverify_atomic_begin(semaphore->__value != 0);
  semaphore->__value = semaphore->__value - 1;
  __chcverify_atomic_end();
  return 0;
}

int sem_post(sem_t *semaphore) {
  __chcverify_atomic_begin(1);
  semaphore->__value = semaphore->__value + 1;
  __chcverify_atomic_end();
  return 0;
}
