// chcverify: --timeout 60
/* A format that is known when the program runs. */
#include <stdarg.h>
#include <stdio.h>
extern void reach_error(void);
static int written(char *to, size_t size, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int length = vsnprintf(to, size, format, list);
  va_end(list);
  return length;
}
int main(void) {
  char text[10];
  int length = written(text, sizeof text, "%3d-%s", 12, "ab");
  if (length != 6 || text[0] != ' ' || text[3] != '-' || text[6] != 0) reach_error();
  return 0;
}
