// chcverify: --timeout 60 --engine bmc
// An address may be given as a number.
#include <assert.h>
void device_write(unsigned long address);
int main(void) {
  int x = 1;
  device_write((unsigned long)&x);
  assert(x == 1);
  return 0;
}
