// Unsafe (valid-deref): There is no place left for the end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void copy(char *to, const char *from, size_t room) {
  size_t i = 0;
  while (i < room && from[i]) {
    to[i] = from[i];
    i++;
  }
  to[i] = 0;
}

static int count(const char *text, char wanted) {
  int found = 0;
  for (; *text; text++)
    if (*text == wanted)
      found++;
  return found;
}

int main(void) {
  char line[64], part[32];
  if (!fgets(line, 64, stdin))
    return 0;
  copy(part, line, 32);
  return count(part, 'x');
}
