// Models of barriers. __round: how often all have come; the last one of a round lets the others go on.
// The program declares these types, or, of the attributes that are not looked at, need not.
typedef struct { unsigned __count; unsigned __waiting; unsigned __round; } pthread_barrier_t;
typedef int pthread_barrierattr_t;

int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned count) {
  __chcverify_atomic_begin(1);
  barrier->__count = count;
  barrier->__waiting = 0;
  barrier->__round = 0;
  __chcverify_atomic_end();
  return count == 0 ? 22 : 0;
}

int pthread_barrier_destroy(pthread_barrier_t *barrier) { return 0; }

int pthread_barrier_wait(pthread_barrier_t *barrier) {
  unsigned round;
  int last = 0;
  __chcverify_atomic_begin(1);
  round = barrier->__round;
  barrier->__waiting = barrier->__waiting + 1;
  if (barrier->__waiting == barrier->__count) {
    barrier->__waiting = 0;
    barrier->__round = round + 1;
    last = 1;
  }
  __chcverify_atomic_end();
  if (last)
    return -1;
  __chcverify_atomic_begin(barrier->__round != round);
  __chcverify_atomic_end();
  return 0;
}
