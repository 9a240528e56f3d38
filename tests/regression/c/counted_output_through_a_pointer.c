// chcverify: --timeout 60
/* Through a pointer the format is not known: it may be one that writes the count. */
#include <assert.h>
#include <stdio.h>
static int (*say)(const char *, ...) = printf;
int main(void) {
  int count = 99;
  say("ab%n", &count);
  assert(count == 99);
  return 0;
}
