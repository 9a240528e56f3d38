// chcverify: --assembler outputs
#include <assert.h>
int shared;
int main(void) {
  int own = 1;
  __asm__ volatile("call handler" : : : "memory");
  assert(own == 1);
  assert(shared == 0);
  return 0;
}
