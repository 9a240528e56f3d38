// chcverify: --timeout 60 --data-model ILP32
/* Records through `...`: each call has copies of its own. */
#include <stdarg.h>
extern void reach_error(void);
struct point { int x, y; };
struct named { char name[4]; long number; };
static long sum(int count, ...) {
  va_list list;
  va_start(list, count);
  long result = 0;
  for (int i = 0; i < count; i++) {
    struct point point = va_arg(list, struct point);
    result = 10 * result + point.x * point.y;
  }
  struct named named = va_arg(list, struct named);
  va_end(list);
  return result + named.number + (named.name[0] == 'a');
}
int main(void) {
  struct point first = {1, 2}, second = {1, 3};
  struct named named = {"ab", 100};
  if (sum(2, first, second, named) != 124) reach_error();
  return 0;
}
