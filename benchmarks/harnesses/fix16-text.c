// libfixmath: a text of two arbitrary characters and an end is a number between -9 and 99, or none.
#include "harness.h"
#include "libfixmath/libfixmath/fix16.c"
#include "libfixmath/libfixmath/fix16_str.c"

int main(void) {
  char text[3];
  FILL(text, 2);
  text[2] = 0;
  fix16_t value = fix16_from_str(text);
  CHECK(value == fix16_overflow || (-9 * fix16_one <= value && value <= 99 * fix16_one));
  return 0;
}
