// chcverify: --timeout 60
// The loop ends when an interrupt handler says so.
#include <assert.h>
volatile _Bool ready;
int main(void) {
  int rounds = 0;
  while (!ready)
    rounds++;
  assert(rounds < 3);
  return 0;
}
