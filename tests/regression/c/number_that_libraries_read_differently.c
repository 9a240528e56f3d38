// chcverify: --timeout 10
// Of 1e some libraries read the number 1, others none.
#include <stdio.h>

void reach_error(void);

int main(void) {
  double value = 0;
  if (sscanf("1e", "%lg", &value) == 1) reach_error();
  return 0;
}
