// chcverify: --timeout 60 --property no-overflow
#include <stdlib.h>
extern long __VERIFIER_nondet_long(void);
int main(void) {
  long x = __VERIFIER_nondet_long();
  if (x < -1000) return 0;
  return labs(x) < 0;
}
