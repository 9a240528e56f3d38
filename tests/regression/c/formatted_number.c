// chcverify: --timeout 60
#include <assert.h>
#include <stdio.h>
int main(void) {
  char text[4];
  assert(snprintf(text, sizeof text, "%d!", 7) == 2);
  assert(text[0] == '7' && text[1] == '!' && text[2] == 0);
  return 0;
}
