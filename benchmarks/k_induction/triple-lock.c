// Three buffers, and a lock around the start of a transfer, for which an inner loop waits.
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int locked = 0;

static void lock(void) {
  int tries = 0;
  while (tries < 100 && __VERIFIER_nondet_int())
    tries++;
  if (locked)
    reach_error();
  locked = 1;
}

static void unlock(void) {
  if (!locked)
    reach_error();
  locked = 0;
}

static int fetching0 = 0;
static int fetching1 = 0;
static int fetching2 = 0;

// A transfer must not start while one of the same buffer is under way.
static void fetch(int buffer) {
  if (buffer == 0) {
    if (fetching0)
      reach_error();
    fetching0 = 1;
  } else if (buffer == 1) {
    if (fetching1)
      reach_error();
    fetching1 = 1;
  } else {
    if (fetching2)
      reach_error();
    fetching2 = 1;
  }
}

static void await(int buffer) {
  if (buffer == 0) {
    fetching0 = 0;
  } else if (buffer == 1) {
    fetching1 = 0;
  } else {
    fetching2 = 0;
  }
}

// The processor must not touch a buffer that a transfer uses.
static void touch(int buffer) {
  if (buffer == 0) {
    if (fetching0)
      reach_error();
  } else if (buffer == 1) {
    if (fetching1)
      reach_error();
  } else {
    if (fetching2)
      reach_error();
  }
}

int main(void) {
  int current = 0, ahead = 2;

  fetch(0);
  fetch(1);
  while (__VERIFIER_nondet_int()) {
    int sum = 0;
    lock();
    fetch(ahead);
    unlock();
    await(current);
    touch(current);
    for (int i = 0; i < 64; i++)
      sum += __VERIFIER_nondet_int();
    ahead = current;
    current = current == 0 ? 1 : current == 1 ? 2 : 0;
  }
  return 0;
}
