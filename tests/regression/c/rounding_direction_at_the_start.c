// chcverify: --timeout 60
#include <assert.h>
#include <fenv.h>
#include <math.h>
int main(void) {
  assert(fegetround() == FE_TONEAREST);
  assert(lrint(2.5) == 2 && lrint(3.5) == 4);
  return 0;
}
