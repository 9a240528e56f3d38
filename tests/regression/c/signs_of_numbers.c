// chcverify: --timeout 60
#include <assert.h>
#include <math.h>
static double (*magnitude)(double) = fabs;
int main(void) {
  double minus = -0.0, small = -2.0;
  assert(signbit(minus) && signbit(small) && !signbit(1.5));
  assert(!signbit(magnitude(small)));
  return 0;
}
