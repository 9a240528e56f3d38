// NaN is not equal to itself, fabs is not negative.
#include <math.h>
extern double __VERIFIER_nondet_double(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  double x = __VERIFIER_nondet_double();
  if (isnan(x) != (x != x))
    reach_error();
  if (!isnan(x) && fabs(x) < 0)
    reach_error();
  if (1 && !(x <= x))
    reach_error();
  return 0;
}
