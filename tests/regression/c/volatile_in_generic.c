// chcverify: --timeout 60
// Pointers to volatile objects and to others are no compatible types; where that decides, the answer is unknown.
#include <assert.h>
int main(void) {
  int a = 1, *p = &a;
  assert(_Generic(p, volatile int *: 1, default: 2) == 2);
  assert(!__builtin_types_compatible_p(int *, volatile int *));
  return 0;
}
