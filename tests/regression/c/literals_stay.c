// chcverify: --timeout 60
// No error trace may rest on a string literal that another file changes.
#include <assert.h>
void unknown(const char *text);
int main(void) {
  const char *text = "abc";
  unknown(text);
  assert(text[0] == 'a');
  return 0;
}
