// Unsafe (valid-deref): What follows a carriage return is skipped, too, be it the end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char line[64];
  if (!fgets(line, 64, stdin))
    return 0;
  char *from = line, *to = line;
  while (*from) {
    if (*from != '\r')
      *to++ = *from;
    from += *from == '\r' ? 2 : 1;
  }
  *to = 0;
  int length = 0;
  for (char *at = line; *at; at++)
    length++;
  return length;
}
