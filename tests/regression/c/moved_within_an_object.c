// chcverify: --timeout 60
#include <assert.h>
#include <string.h>
int main(void) {
  char text[] = "abcdef", other[] = "xyz";
  memmove(text + 1, text, 3);
  assert(!strcmp(text, "aabcef"));
  memmove(text, text + 2, 3);
  assert(text[0] == 'b' && text[2] == 'e');
  memmove(text + 4, other, 2);
  assert(text[4] == 'x' && text[5] == 'y');
  return 0;
}
