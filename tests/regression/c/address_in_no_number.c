// chcverify: --property unreach-call --undefined-functions havoc --timeout 60
/* What is only known about an address, or stays in local variables, leads no function to the object. */
#include <stdint.h>
extern void reach_error(void);
extern void set(int);
int aligned;

int main(void) {
  static int x = 0, table[8];
  uintptr_t number = (uintptr_t)&x;
  unsigned bucket = number % 7;
  aligned = ((uintptr_t)&x & 3) == 0;
  table[bucket] = 1;
  set(aligned);
  if (x == 1) reach_error();
  return 0;
}
