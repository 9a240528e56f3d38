// Unsafe (valid-deref): An empty line has no last character.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>

int main(void) {
  char line[64];
  if (!fgets(line, 64, stdin))
    return 0;
  size_t length = strlen(line);
  if (line[length - 1] == '\n')
    line[length - 1] = 0;
  int value = 0;
  char *at = line;
  while (isdigit((unsigned char)*at)) {
    value = (value * 10 + (*at - '0')) % 1000;
    at++;
  }
  return *at == 0;
}
