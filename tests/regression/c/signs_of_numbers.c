// chcverify: --timeout 60
#include <assert.h>
#include <math.h>
static double (*magnitude)(double) = fabs;
int main(void) {
  double minus = -0.0, values[] = {1.5, -2.0, -0.0, 0.0, -INFINITY, 4.9e-324};
  for (int i = 0; i < 6; i++) {
    assert(!signbit(magnitude(values[i])) && signbit(copysign(values[i], minus)));
    assert(!signbit(values[i]) == (i == 0 || i == 3 || i == 5));
  }
  assert(copysign(NAN, minus) != 0 && magnitude(NAN) != magnitude(NAN));
  return 0;
}
