// chcverify: --timeout 60 --engine bmc,pdr
// What is not modelled does not hide a violation elsewhere that needs a search.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x == 7 && rpmatch("yes") == 1) return 1;
  if (x == 123456 && y == x + 77) reach_error();
  return 0;
}
