// chcverify: --property undefined-behaviour --all-checks --timeout 60
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *home = getenv("HOME");
  if (home && home[0]) home[0] = 'x';
  free(home);
  return getenv("SHELL")[0];
}
