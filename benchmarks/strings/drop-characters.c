// Safe: A line loses its carriage returns in place.
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
    from++;
  }
  *to = 0;
  int length = 0;
  for (char *at = line; *at; at++)
    length++;
  return length;
}
