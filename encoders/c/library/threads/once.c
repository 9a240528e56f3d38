// Model of pthread_once: 0 before, 1 while the function runs, 2 afterwards.
// The program declares these types, or, of the attributes that are not looked at, need not.
typedef int pthread_once_t;

int pthread_once(pthread_once_t *once, void (*function)(void)) {
  int begins = 0;
  __chcverify_atomic_begin(*once != 1);
  if (*once == 0) {
    *once = 1;
    begins = 1;
  }
  __chcverify_atomic_end();
  if (begins) {
    function();
    __chcverify_atomic_begin(1);
    *once = 2;
    __chcverify_atomic_end();
  }
  return 0;
}
