// As queue, but the third element is skipped.
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
      first = first == 1 ? 3 : first + 1;
      count--;
    }
    check(count != 0 || first == next);
  }
  return 0;
}
