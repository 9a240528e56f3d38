// Output through three buffers; a buffer's transfer is awaited in the round after the one that started it, and the
// buffer is used again two rounds later: one round of history is not enough.
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int storing0 = 0;
static int storing1 = 0;
static int storing2 = 0;

// A transfer must not start while one of the same buffer is under way.
static void store(int buffer) {
  if (buffer == 0) {
    if (storing0)
      reach_error();
    storing0 = 1;
  } else if (buffer == 1) {
    if (storing1)
      reach_error();
    storing1 = 1;
  } else {
    if (storing2)
      reach_error();
    storing2 = 1;
  }
}

static void await(int buffer) {
  if (buffer == 0) {
    storing0 = 0;
  } else if (buffer == 1) {
    storing1 = 0;
  } else {
    storing2 = 0;
  }
}

// The processor must not touch a buffer that a transfer uses.
static void touch(int buffer) {
  if (buffer == 0) {
    if (storing0)
      reach_error();
  } else if (buffer == 1) {
    if (storing1)
      reach_error();
  } else {
    if (storing2)
      reach_error();
  }
}

int main(void) {
  int current = 0, before = 2;

  while (__VERIFIER_nondet_int()) {
    int fill = 0;
    touch(current);
    while (fill < 64)
      fill++;
    store(current);
    await(before);
    before = current;
    current = current == 0 ? 1 : current == 1 ? 2 : 0;
  }
  return 0;
}
