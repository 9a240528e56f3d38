// chcverify: --timeout 60
// Only a null pointer constant, which is 0 or (void *)0, has the type of the other operand of ?: (C11 6.5.15p6).
#include <assert.h>
#define KIND(e) _Generic((e), int *: 1, void *: 2, const void *: 3, char *: 4, default: 5)
int main(void) {
  int a = 1, *p = &a;
  void *v = p;
  const void *c = p;
  assert(KIND(1 ? (int *)0 : (void *)0) == 1 && KIND(0 ? (void *)0 : (int *)0) == 1);
  assert(KIND(a ? p : (void *)0) == 1 && KIND(a ? 0 : p) == 1 && KIND(p ?: (void *)0) == 1);
  assert(KIND(a ? (int *)0 : v) == 2 && KIND(a ? v : (int *)0) == 2 && KIND(a ? p : v) == 2);
  assert(KIND(a ? c : p) == 3 && KIND(a ? v : (const int *)p) == 3);
  assert(sizeof(*(a ? (void *)0 : p)) == sizeof a && KIND(a ? (void *)0 : (void *)0) == 2);
  return 0;
}
