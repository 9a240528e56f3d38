// chcverify: --timeout 60 --property bounds
/* Five digits and the null character do not fit. */
#include <stdarg.h>
#include <stdio.h>
static int written(char *to, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int length = vsprintf(to, format, list);
  va_end(list);
  return length;
}
int main(void) {
  char text[5];
  return written(text, "%d", 12345);
}
