// inih: the end of a name of at most four characters: a sign, the end of the text, or a comment after white space.
#include "harness.h"
#include "inih/ini.c"

int main(void) {
  char text[5];
  FILL(text, 4);
  text[4] = 0;
  char *end = ini_find_chars_or_comment(text, "=:");
  CHECK(text <= end && end <= text + 4);
  CHECK(*end == '=' || *end == ':' || *end == 0 || (*end == ';' && end > text));
  for (char *p = text; p < end; p++)
    CHECK(*p != '=' && *p != ':' && *p != 0);
  return 0;
}
