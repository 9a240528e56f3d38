// stb: division with remainders of the divisor's sign, for numbers of one byte.
#include "harness.h"
#define STB_DIVIDE_IMPLEMENTATION
#include "stb/stb_divide.h"

int main(void) {
  int a = (signed char)__VERIFIER_nondet_uchar(), b = (signed char)__VERIFIER_nondet_uchar();
  ASSUME(b != 0);
  int quotient = stb_div_eucl(a, b), remainder = stb_mod_eucl(a, b);
  CHECK(quotient * b + remainder == a);
  CHECK(remainder >= 0);
  CHECK(stb_div_floor(a, b) * b + stb_mod_floor(a, b) == a);
  return 0;
}
