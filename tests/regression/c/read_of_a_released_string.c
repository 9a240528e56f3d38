// chcverify: --timeout 60
// A released copy of a string is any text.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *text = strdup("abc");
  free(text);
  assert(text[1] == 'b');
  return 0;
}
