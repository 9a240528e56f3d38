// chcverify: --timeout 60
#include <fenv.h>
extern void reach_error(void);
int main(void) {
  volatile double one = 1.0, ten = 10.0;
  double nearest = one / ten;
  fesetround(FE_UPWARD);
  if (one / ten != nearest) reach_error();
  return 0;
}
