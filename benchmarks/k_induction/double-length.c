// Blocks of varying length: what is checked after the inner loop was established before it.
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int fetching0 = 0;
static int fetching1 = 0;

int main(void) {
  int even = 1;

  while (__VERIFIER_nondet_int()) {
    int length = __VERIFIER_nondet_int(), checksum = 0, i = 0;
    if (length < 0 || length > 1024)
      length = 1024;
    if (even) {
      if (fetching0)
        reach_error();
      fetching0 = 1;
      fetching1 = 0;
    } else {
      if (fetching1)
        reach_error();
      fetching1 = 1;
      fetching0 = 0;
    }
    while (i < length) {
      checksum = checksum ^ 1;
      i++;
    }
    if (length > 1024)
      reach_error();
    even = !even;
  }
  return 0;
}
