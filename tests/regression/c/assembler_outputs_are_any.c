// chcverify: --assembler outputs
#include <assert.h>
int main(void) {
  unsigned flags = 0;
  __asm__ volatile("pushf; pop %0" : "=r"(flags));
  assert(flags == 0);
  return 0;
}
