// chcverify: --timeout 60
// Nobody else knows an automatic variable.
#include <assert.h>
int main(void) {
  volatile int steps = 0;
  while (steps < 5) steps++;
  assert(steps == 5);
  return 0;
}
