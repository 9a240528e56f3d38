// chcverify: --timeout 60
// A variable holds any value when its block has ended.
#include <assert.h>
int main(void) {
  int *p = 0;
  {
    int a[3] = {1, 2, 3};
    p = a;
  }
  assert(p[1] == 2);
  return 0;
}
