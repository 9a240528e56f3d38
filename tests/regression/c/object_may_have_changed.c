// chcverify:
#include <assert.h>
void __CPROVER_havoc_object(void *);
int main(void) {
  int x[2] = {1, 2};
  __CPROVER_havoc_object(&x[1]);
  assert(x[0] == 1);
  return 0;
}
