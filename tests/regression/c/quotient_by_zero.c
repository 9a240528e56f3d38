// chcverify: --property division --timeout 60
// div divides: by zero that is undefined (C11 7.22.6.2).
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  return n < 100 && div(7, n).quot == 9;
}
