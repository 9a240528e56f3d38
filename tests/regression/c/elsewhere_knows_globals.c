// chcverify: --timeout 60
// Variables with external linkage are known elsewhere, static ones and locals are not.
#include <assert.h>
int shared = 1;
static int own = 2;
void elsewhere(void);
int main(void) {
  int local = 3;
  elsewhere();
  assert(own == 2 && local == 3);
  assert(shared == 1);
  return 0;
}
