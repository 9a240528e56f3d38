// The inner loop goes over the rows of a block and has an inner loop over the columns: three loops deep.
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

static void await(int buffer) {
  if (buffer == 0) {
    fetching0 = 0;
  } else {
    fetching1 = 0;
  }
}

// The processor must not touch a buffer that a transfer uses.
static void touch(int buffer) {
  if (buffer == 0) {
    if (fetching0)
      reach_error();
  } else {
    if (fetching1)
      reach_error();
  }
}

int main(void) {
  int current = 0;

  fetch(0);
  while (__VERIFIER_nondet_int()) {
    int next = current == 0 ? 1 : 0, cells = 0;
    fetch(next);
    await(current);
    touch(current);
    for (int row = 0; row < 8; row++)
      for (int column = 0; column < 8; column++)
        cells++;
    current = next;
  }
  return 0;
}
