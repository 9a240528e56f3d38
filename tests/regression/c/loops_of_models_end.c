// chcverify: --property termination --timeout 120
// Models of fmod and frexp have loops over floating-point numbers, which end for all arguments.
#include <math.h>

extern double __VERIFIER_nondet_double(void);

int main(void) {
  double x = __VERIFIER_nondet_double();
  int exponent, count = 0;
  for (int i = 0; i < 10; i++) count += 2;
  return fmod(x, 360.0) > frexp(x, &exponent) ? count : 0;
}
