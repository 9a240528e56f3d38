// chcverify: --timeout 60
#include <stdarg.h>
extern void reach_error(void);
static int second(int first, ...) {
  va_list list;
  va_start(list, first);
  int found = va_arg(list, int);
  va_end(list);
  return found;
}
int main(void) {
  if (second(1) == 2) reach_error();
  return 0;
}
