// chcverify: --property undefined-behaviour
#include <stdio.h>
extern double __VERIFIER_nondet_double(void);
int main(void) {
  char text[8];
  sprintf(text, "%f", __VERIFIER_nondet_double());  // which numbers are longer is not modelled
  return 0;
}
