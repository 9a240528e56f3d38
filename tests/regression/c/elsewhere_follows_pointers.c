// chcverify: --timeout 60
// A static variable that a shared pointer leads to.
#include <assert.h>
static int hidden = 5;
int *window = &hidden;
void elsewhere(void);
int main(void) {
  elsewhere();
  assert(hidden == 5);
  return 0;
}
