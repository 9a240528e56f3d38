// chcverify: --timeout 60 --property no-overflow
// abs(INT_MIN) is undefined (C11 7.22.6.1).
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = x > 0 ? 1 : 0;
  return abs(x - y * 0 + 0) >= 0;
}
