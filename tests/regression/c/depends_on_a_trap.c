// chcverify: --timeout 60
// Runs that do not come to what is not modelled are proved; the others are named.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = 1;
  if (x == 123456) y = rpmatch("yes");
  assert(y == 1);
  return 0;
}
