// chcverify: --data-model ILP32
#include <stdarg.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int greatest(int count, ...) {
  va_list list;
  va_start(list, count);
  int found = va_arg(list, int);
  for (int i = 1; i < count; i++) {
    int next = va_arg(list, int);
    if (next > found) found = next;
  }
  va_end(list);
  return found;
}
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  int found = greatest(3, a, b, 7);
  if (found < 7 || found < a || found == b) reach_error();  // found == b is possible
  return 0;
}
