// chcverify: --timeout 60
#include <math.h>
extern void reach_error(void);
int main(void) {
  int quotient = -1;
  double rest = remquo(9.0, 4.0, &quotient);
  if (quotient != -1 && rest < 10) reach_error();
  return 0;
}
