// chcverify: --property unreach-call --undefined-functions havoc --timeout 60
/* Where a number leads that was computed is not modelled, also in functions without a body. */
#include <stdint.h>
extern void reach_error(void);
extern void set(int *);

int main(void) {
  static int x = 0;
  uintptr_t number = (uintptr_t)&x * 2;
  set((int *)(number / 2));
  if (x == 1) reach_error();
  return 0;
}
