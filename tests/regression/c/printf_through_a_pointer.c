// chcverify: --timeout 60
#include <assert.h>
#include <stdio.h>
static int (*say)(const char *, ...) = printf;
static int (*line)(const char *) = puts;
int main(void) {
  int x = 4;
  say("%d %s\n", x, "y");
  line("z");
  assert(x == 4);
  return 0;
}
