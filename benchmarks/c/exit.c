// No statement runs after exit or abort.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

static void check(int x) {
  if (x < 0)
    exit(1);
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  check(x);
  if (x < 0)
    reach_error();
  return 0;
}
