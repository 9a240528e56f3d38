// chcverify: --timeout 60
#include <math.h>
extern void reach_error(void);
int main(void) {
  if (cbrtf(27.0f) != 3.0f) reach_error();
  return 0;
}
