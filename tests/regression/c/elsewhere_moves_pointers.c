// chcverify: --timeout 60 --engine bmc
// Where a pointer leads that another file has changed is not modelled.
#include <assert.h>
int one = 1, *selected = &one;
void elsewhere(void);
int main(void) {
  elsewhere();
  one = 1;
  assert(*selected == 1);
  return 0;
}
