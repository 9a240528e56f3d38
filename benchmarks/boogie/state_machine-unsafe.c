// As state_machine.c, but the door can be locked while it moves.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int locked = 1, moving = 0;
  while (1) {
    check(!(locked && moving));
    switch (__VERIFIER_nondet_int()) {
    case 0:
      locked = 0;
      break;
    case 1:
      locked = 1;
      break;
    case 2:
      if (locked)
        return 0;
      moving = 1;
      break;
    case 3:
      moving = 0;
      break;
    default:
      return 0;
    }
  }
}
