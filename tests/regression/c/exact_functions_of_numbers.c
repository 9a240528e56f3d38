// chcverify: --property unreach-call --timeout 120
// fmod, remainder, modf, frexp, ldexp, ilogb and the classes of numbers are computed, with errno.
#include <errno.h>
#include <math.h>

extern void reach_error(void);

int main(void) {
  double whole;
  int exponent;
  if (fmod(-7.25, 2.0) != -1.25 || remainder(7.0, 2.0) != -1.0 || remainder(5.0, 2.0) != 1.0) reach_error();
  if (modf(-3.75, &whole) != -0.75 || whole != -3) reach_error();
  if (frexp(-8.0, &exponent) != -0.5 || exponent != 4 || ilogb(9.0) != 3) reach_error();
  if (ldexp(1.5, 3) != 12 || errno != 0) reach_error();
  if (ldexp(1.0, 2000) != INFINITY || errno != ERANGE) reach_error();
  if (!isnan(fmod(1.0, 0.0)) || errno != EDOM) reach_error();
  if (fpclassify(whole) != FP_NORMAL || fpclassify(5e-324) != FP_SUBNORMAL) reach_error();
  if (fpclassify(0.0 * whole) != FP_ZERO || fpclassify((float)(whole / 0.0)) != FP_INFINITE) reach_error();
  return 0;
}
