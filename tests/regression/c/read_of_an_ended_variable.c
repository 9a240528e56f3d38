// chcverify: --timeout 60
// What a variable held whose block has ended is any value; one whose address stays inside of the block has no cost.
#include <assert.h>
static int *kept(int *q) {
  int x = 5, *r = &x;
  return *q ? r : q;
}
int main(void) {
  int one = 1, *p = kept(&one);
  assert(*p == 5);
  return 0;
}
