// chcverify: --property unreach-call --undefined-functions havoc --timeout 60
/* Functions without a body may write where the number leads. */
#include <stdint.h>
extern void reach_error(void);
extern void set(void);
struct halves { uint32_t low, high; } halves;

int main(void) {
  static int x = 0;
  uintptr_t number = (uintptr_t)&x;
  halves.low = number;
  halves.high = number >> 32;
  set();
  if (x == 1) reach_error();
  return 0;
}
