// As locking, but the loop also ends after an even number of rounds.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static void check(int condition) {
  if (!condition)
    reach_error();
}
int main(void) {
  int locked = 0, before = 0, now = 0;
  while (1) {
    check(!locked);
    locked = 1;
    before = now;
    if (now < 1000000 && __VERIFIER_nondet_int()) {
      check(locked);
      locked = 0;
      now++;
    }
    if (before == now || now % 2 == 0)
      break;
  }
  check(locked);
  return 0;
}
