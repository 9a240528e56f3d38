// Output through two buffers: one is filled while the other is stored.
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

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

static void await(int buffer) {
  if (buffer == 0) {
    storing0 = 0;
  } else {
    storing1 = 0;
  }
}

// The processor must not touch a buffer that a transfer uses.
static void touch(int buffer) {
  if (buffer == 0) {
    if (storing0)
      reach_error();
  } else {
    if (storing1)
      reach_error();
  }
}

int main(void) {
  int current = 0, blocks = __VERIFIER_nondet_int();

  for (int block = 0; block < blocks; block++) {
    int fill = 0;
    touch(current);
    while (fill < 128 && __VERIFIER_nondet_int())
      fill++;
    store(current);
    current = current == 0 ? 1 : 0;
    await(current);
  }
  return 0;
}
