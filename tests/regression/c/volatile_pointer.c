// chcverify: --timeout 60
// Where a volatile pointer leads is left to the program.
#include <assert.h>
static int cell;
static int *volatile window = &cell;
int main(void) {
  *window = 3;
  assert(cell == 3);
  return 0;
}
