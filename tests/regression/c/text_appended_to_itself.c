// chcverify: --timeout 60 --property overlap
/* What is appended is a part of the string that it is appended to: objects that overlap (C11 7.24.3.2), although no
   character is overwritten before it is read. */
#include <string.h>
int main(void) {
  char text[6] = "abc";
  strncat(text, text, 1);
  return 0;
}
