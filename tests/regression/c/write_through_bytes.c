// chcverify: --property unreach-call --timeout 60
/* The number leads to a variable, though nothing reads what the pointer to some other memory would change. */
#include <stdint.h>
extern void reach_error(void);
union word { int *pointer; uintptr_t number; };

int main(void) {
  static int x = 0;
  union word word;
  word.number = (uintptr_t)&x * 2 / 2;
  int *p = word.pointer;
  *p = 1;
  if (x == 1) reach_error();
  return 0;
}
