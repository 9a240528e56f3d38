// chcverify: --timeout 120
// The environment is what the program has made of it.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  if (setenv("A", "b", 1) != 0) return 0;
  char *text = getenv("A");
  assert(text != 0);
  return 0;
}
