// As queue, but the first element after the last one of the ring is lost.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static void check(int condition) {
  if (!condition)
    reach_error();
}
int main(void) {
  int first = 0, next = 0, count = 0;
  while (__VERIFIER_nondet_int()) {
    if (count < 8 && __VERIFIER_nondet_int()) {
      next = next == 7 ? 0 : next + 1;
      count++;
    } else if (count > 0) {
      first = first == 7 ? 1 : first + 1;
      count--;
    }
    check(count != 0 || first == next);
  }
  return 0;
}
