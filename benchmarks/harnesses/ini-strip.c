// inih: text of four characters without white space at its ends.
#include "harness.h"
#include "inih/ini.c"

int main(void) {
  char text[5];
  FILL(text, 4);
  text[4] = 0;
  char *stripped = ini_rstrip(ini_lskip(text), text + strlen(text));
  size_t size = strlen(stripped);
  CHECK(size <= 4);
  CHECK(stripped[0] != ' ');
  if (size > 0)
    CHECK(stripped[size - 1] != ' ');
  return 0;
}
