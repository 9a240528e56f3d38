// chcverify: --assembler outputs
#include <assert.h>
int main(void) {
  int x = 0, *p = &x;
  __asm__("" : "=r"(p) : "0"(p));
  *p = 1;
  assert(x == 1);
  return 0;
}
