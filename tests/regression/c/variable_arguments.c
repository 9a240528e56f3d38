// chcverify: --timeout 100
// Additional arguments, read in the function itself and through a va_list that is passed on.
#include <assert.h>
#include <stdarg.h>
extern int __VERIFIER_nondet_int(void);
static long total(int count, va_list list) {
  long sum = 0;
  for (int i = 0; i < count; i++) sum += i % 2 ? va_arg(list, long) : va_arg(list, int);
  return sum;
}
static long sum(int count, ...) {
  va_list list, again;
  va_start(list, count);
  va_copy(again, list);
  long first = count > 0 ? va_arg(again, int) : 0;
  va_end(again);
  long result = total(count, list);
  va_end(list);
  return result - first;
}
static double chosen(const char *form, ...) {
  va_list list;
  va_start(list, form);
  double found = 0.0;
  if (form[0] == 'd') found = va_arg(list, double);
  if (form[0] == 's') found = va_arg(list, char *)[1];
  va_end(list);
  return found;
}
int main(void) {
  int x = __VERIFIER_nondet_int() & 255;
  assert(sum(3, 7, 40L, x) == 40 + x);
  assert(sum(0) == 0);
  assert(chosen("d", 2.5f) == 2.5 && chosen("s", "ab", 1) == 'b');
  return 0;
}
