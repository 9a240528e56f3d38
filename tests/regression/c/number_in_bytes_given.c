// chcverify: --property unreach-call --undefined-functions havoc --timeout 60
/* The number in the union is an address, which a function without a body is given as a pointer. */
#include <stdint.h>
extern void reach_error(void);
extern void set(int *);
union word { int *pointer; uintptr_t number; };

int main(void) {
  static int x = 0;
  union word word;
  word.number = (uintptr_t)&x * 2 / 2;
  set(word.pointer);
  if (x == 1) reach_error();
  return 0;
}
