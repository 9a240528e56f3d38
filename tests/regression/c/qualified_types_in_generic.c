// chcverify: --timeout 60
// The selector of _Generic is a value: no association of a qualified type is compatible with it. Qualifiers before a
// declarator belong to what a pointer leads to. (const void *)0 is no null pointer constant.
#include <assert.h>
typedef const int constant;
int main(void) {
  constant x = 1;
  int a = 1, *p = &a;
  assert(_Generic(x, const int: 1, default: 2) == 2 && _Generic(x, int: 1, const int: 2) == 1);
  assert(_Generic(x, constant: 1, default: 2) == 2 && _Generic(p, int *const: 1, default: 2) == 2);
  assert(_Generic(&x, const int *: 1, default: 2) == 1 && _Generic(p, const int *: 1, default: 2) == 2);
  assert(_Generic(1 ? (const void *)0 : p, const void *: 1, int *: 2, default: 3) == 1);
  assert(_Generic(1 ? (void *)0 : p, void *: 1, int *: 2, default: 3) == 2);
  typeof(volatile int *) pointer = &a;
  assert(pointer == &a);
  return 0;
}
