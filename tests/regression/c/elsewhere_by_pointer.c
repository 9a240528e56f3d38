// chcverify: --timeout 60
// Called through a pointer, it does the same.
#include <assert.h>
void update(int *);
static void (*const action)(int *) = update;
int main(void) {
  int x = 1;
  action(&x);
  assert(x == 1);
  return 0;
}
