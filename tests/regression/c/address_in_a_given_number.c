// chcverify: --property unreach-call --undefined-functions havoc --timeout 60
/* A function without a body is given the address of a variable as a number, which it may write through. */
#include <stdint.h>
extern void reach_error(void);
extern void set(uintptr_t);

int main(void) {
  static int x = 0;
  uintptr_t number = (uintptr_t)&x;
  set(number + 1);
  if (x == 1) reach_error();
  return 0;
}
