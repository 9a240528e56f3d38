// chcverify: --timeout 60
/* cos is not modelled: what matters is that no run comes to it. */
#include <assert.h>
#include <math.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0) return 0;
  x %= 10;
  if (x > 9) x = (int)cos(x);
  assert(x >= 0 && x < 10);
  return 0;
}
