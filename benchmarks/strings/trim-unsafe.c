// Unsafe (valid-deref): The start of the line is not looked at.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>

static char *trimmed(char *line) {
  char *end = line + strlen(line);
  while (isspace((unsigned char)end[-1]))
    *--end = 0;
  while (*line && isspace((unsigned char)*line))
    line++;
  return line;
}

int main(void) {
  char line[200];
  if (!fgets(line, sizeof line, stdin))
    return 0;
  return *trimmed(line);
}
