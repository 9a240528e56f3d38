// A queue in a ring of eight elements: the number of its elements is the distance of its ends.
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
      first = first == 7 ? 0 : first + 1;
      count--;
    }
    check(count != 0 || first == next);
  }
  return 0;
}
