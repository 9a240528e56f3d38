// chcverify: --timeout 60
/* All NaNs are one value, so what signbit gives for one is not modelled. */
#include <math.h>
extern void reach_error(void);
int main(void) {
  double unknown_number = NAN;
  if (signbit(unknown_number)) reach_error();
  return 0;
}
