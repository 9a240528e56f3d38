// Floor, ceil and conversion to integers.
#include <math.h>
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  double x = -2.5;
  if (floor(x) != -3.0 || ceil(x) != -2.0 || (int)x != -2 || floor(2.5) != 3)
    reach_error();
  return 0;
}
