// chcverify: --property valid-memsafety --timeout 60
#include <stdlib.h>
int main(void) {
  if (!getenv("HOME")) return 0;
  char *home = getenv("HOME");
  return home[0] == 0;
}
