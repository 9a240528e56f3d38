// chcverify: --timeout 20
// The same seed gives the same numbers: C11 7.22.2.2.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  srand(7);
  int first = rand();
  srand(7);
  if (rand() != first) reach_error();
  return 0;
}
