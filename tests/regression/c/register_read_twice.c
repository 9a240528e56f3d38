// chcverify: --timeout 60
#include <assert.h>
#define STATUS (*(volatile unsigned *)0x40001000u)
int main(void) {
  unsigned first = STATUS;
  assert(first == STATUS);
  return 0;
}
