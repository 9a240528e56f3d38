// chcverify: --property leak --test /dev/null --timeout 60
// A file that renames a main by a macro, and ends that: the test renames the other one itself.
#include <stdlib.h>
#define main tool_main
int main(void) { return 0; }
#undef main
int main(void) {
  char *p = malloc(2);
  p = 0;
  return p != 0;
}
