// Models of the keys of thread-specific data. A key is a number, which is given only once; pthread_key_t and
// tss_t are unsigned int, as in glibc.
static unsigned created;
static unsigned with_destructor;
static void (*destructors[8])(void *);
static _Thread_local void *values[8];

int pthread_key_create(unsigned *key, void (*destructor)(void *)) {
  unsigned made;
  __chcverify_atomic_begin(1);
  made = created;
  if (made == 8) __chcverify_more_keys();
  destructors[made] = destructor;
  if (destructor) with_destructor = with_destructor + 1;
  created = made + 1;
  __chcverify_atomic_end();
  *key = made;
  return 0;
}

// Values that threads still have for the key are lost; no destructor runs for them.
int pthread_key_delete(unsigned key) {
  __chcverify_atomic_begin(1);
  if (key >= created) __chcverify_unknown_key();
  if (destructors[key]) with_destructor = with_destructor - 1;
  destructors[key] = 0;
  __chcverify_atomic_end();
  return 0;
}

int pthread_setspecific(unsigned key, const void *value) {
  __chcverify_atomic_begin(1);
  if (key >= created) __chcverify_unknown_key();
  __chcverify_atomic_end();
  values[key] = (void *)value;
  return 0;
}

void *pthread_getspecific(unsigned key) {
  __chcverify_atomic_begin(1);
  if (key >= created) __chcverify_unknown_key();
  __chcverify_atomic_end();
  return values[key];
}

int tss_create(unsigned *key, void (*destructor)(void *)) { return pthread_key_create(key, destructor); }
void tss_delete(unsigned key) { pthread_key_delete(key); }
int tss_set(unsigned key, void *value) { return pthread_setspecific(key, value); }
void *tss_get(unsigned key) { return pthread_getspecific(key); }

// At the end of a thread: destructors of values that are not null, in any order, up to four times, as a destructor may
// set values again.
void __chcverify_run_destructors(void) {
  unsigned count, some, index, key;
  int round = 0, again, backwards;
  void (*destructor)(void *);
  void *value;
  do {
    __chcverify_atomic_begin(1);
    some = with_destructor;
    count = created;
    __chcverify_atomic_end();
    if (some == 0) return;
    if (some > 2) __chcverify_order_of_destructors();
    again = 0;
    backwards = some == 2 && __VERIFIER_nondet_int();
    for (index = 0; index < count; index++) {
      key = backwards ? count - 1 - index : index;
      __chcverify_atomic_begin(1);
      destructor = destructors[key];
      __chcverify_atomic_end();
      value = values[key];
      if (destructor && value) {
        values[key] = 0;
        destructor(value);
        again = 1;
      }
    }
    round++;
  } while (again && round < 4);
}
