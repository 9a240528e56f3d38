// chcverify: --property unreach-call --undefined-functions havoc --timeout 60
/* A function without a body finds a number among the bytes of a record, which is the address of a variable. */
#include <stdint.h>
extern void reach_error(void);
struct record { int kind; int *pointer; };
extern void set(struct record *);

int main(void) {
  static int x = 0;
  struct record record;
  uintptr_t number = (uintptr_t)&x * 2 / 2;
  char *bytes = (char *)&record;
  for (int i = 0; i < 8; i++) bytes[8 + i] = number >> (8 * i);
  set(&record);
  if (x == 1) reach_error();
  return 0;
}
