// chcverify: --timeout 60
/* rint rounds as fesetround says. */
#include <fenv.h>
#include <math.h>
extern void reach_error(void);
int main(void) {
  double value = 1.25;
  if (fesetround(FE_UPWARD)) return 1;
  if (rint(value) != 2 || fegetround() != FE_UPWARD) reach_error();
  fesetround(FE_DOWNWARD);
  if (lrint(value) != 1 || nearbyint(-value) != -2) reach_error();
  fesetround(FE_TONEAREST);
  if (rint(2.5) != 2 || value + 1 != 2.25) reach_error();
  return 0;
}
