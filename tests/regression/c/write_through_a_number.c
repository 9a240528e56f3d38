// chcverify: --property unreach-call --timeout 60
/* Where a number leads that was computed is not modelled, also if nothing reads what is written there. */
#include <stdint.h>
extern void reach_error(void);
struct pair { int a, b; };
static struct pair pair;
static void set(struct pair *p) { p->b = 1; }

int main(void) {
  uintptr_t number = (uintptr_t)&pair * 2;
  set((struct pair *)(number / 2));
  if (pair.b == 1) reach_error();
  return 0;
}
