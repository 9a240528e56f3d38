// chcverify: --timeout 60
// Only what is reached changes.
#include <assert.h>
int shared = 1;
static int own = 2;
void elsewhere(int);
int main(void) {
  int local = 3, *p = &local;
  elsewhere(*p);
  assert(own == 2 && *p == 3);
  return 0;
}
