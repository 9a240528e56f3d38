// chcverify: --timeout 60 --property overlap
/* What is appended is another string. */
#include <string.h>
int main(void) {
  char text[6] = "abc";
  strncat(text, "abc", 1);
  return 0;
}
