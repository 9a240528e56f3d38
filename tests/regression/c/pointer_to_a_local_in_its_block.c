// chcverify: --timeout 60
// A variable keeps its value in its block, and what was copied stays.
#include <assert.h>
int main(void) {
  int *p = 0, kept = 0;
  {
    int a[3] = {1, 2, 3};
    p = a;
    kept = p[1];
    assert(p[2] == 3);
  }
  assert(kept == 2);
  return 0;
}
