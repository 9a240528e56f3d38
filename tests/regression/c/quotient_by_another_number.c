// chcverify: --property division --timeout 60
// div by what is not zero is defined.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  return n > 0 && div(7, n).quot == 9;
}
