// chcverify: --assembler outputs
#include <assert.h>
static unsigned swapped(unsigned x) {
  unsigned result;
  __asm__("bswap %[to]" : [to] "=r"(result) : "0"(x));
  return result;
}
int main(void) {
  int kept = 5, table[2] = {1, 2}, i = 1;
  __asm__ volatile("incl %0" : "+m"(table[i]) : "r"(kept) : "cc");
  assert(kept == 5 && table[0] == 1);
  return swapped(kept) == 5;
}
