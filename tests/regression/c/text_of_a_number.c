// chcverify: --property undefined-behaviour
#include <stdio.h>
extern double __VERIFIER_nondet_double(void);
int main(void) {
  char text[23];
  int length = sprintf(text, "%1.15g", __VERIFIER_nondet_double());  // -1.23456789012345e-308 has 22 characters
  return length > 0 && text[length] == 0;
}
