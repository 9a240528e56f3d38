// chcverify: --timeout 60
// A copy of a string holds that text until it is released.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *text = strdup("abc"), *other = strdup("xyz");
  char second = text[1];
  free(text);
  assert(second == 'b' && other[2] == 'z');
  free(other);
  return 0;
}
