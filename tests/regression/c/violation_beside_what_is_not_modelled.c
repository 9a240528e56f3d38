// chcverify: --timeout 60
#include <assert.h>
#include <math.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 77) assert(sinh(x) > 0);
  assert(x != 12);
  return 0;
}
