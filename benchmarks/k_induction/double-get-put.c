// Two input and two output buffers that change places together.
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int fetching0 = 0;
static int fetching1 = 0;

// A transfer must not start while one of the same buffer is under way.
static void fetch(int buffer) {
  if (buffer == 0) {
    if (fetching0)
      reach_error();
    fetching0 = 1;
  } else {
    if (fetching1)
      reach_error();
    fetching1 = 1;
  }
}

static void await_input(int buffer) {
  if (buffer == 0) {
    fetching0 = 0;
  } else {
    fetching1 = 0;
  }
}

// The processor must not touch a buffer that a transfer uses.
static void read(int buffer) {
  if (buffer == 0) {
    if (fetching0)
      reach_error();
  } else {
    if (fetching1)
      reach_error();
  }
}

static int storing0 = 0;
static int storing1 = 0;

// A transfer must not start while one of the same buffer is under way.
static void store(int buffer) {
  if (buffer == 0) {
    if (storing0)
      reach_error();
    storing0 = 1;
  } else {
    if (storing1)
      reach_error();
    storing1 = 1;
  }
}

static void await_output(int buffer) {
  if (buffer == 0) {
    storing0 = 0;
  } else {
    storing1 = 0;
  }
}

// The processor must not touch a buffer that a transfer uses.
static void write(int buffer) {
  if (buffer == 0) {
    if (storing0)
      reach_error();
  } else {
    if (storing1)
      reach_error();
  }
}

int main(void) {
  int current = 0;

  fetch(0);
  while (__VERIFIER_nondet_int()) {
    int next = current == 0 ? 1 : 0, rest = 32;
    fetch(next);
    await_input(current);
    read(current);
    write(current);
    while (rest > 0)
      rest--;
    store(current);
    await_output(next);
    current = next;
  }
  return 0;
}
