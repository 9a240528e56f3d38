// Safe: A line `key = value;` is taken apart.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *find(const char *text, char wanted) {
  while (*text && *text != wanted)
    text++;
  return *text ? text : NULL;
}

int main(void) {
  char line[64];
  if (!fgets(line, 64, stdin))
    return 0;
  const char *value = find(line, '=');
  if (!value)
    return 0;
  value++;
  while (*value == ' ')
    value++;
  const char *end = find(value, ';');
  return end && end[1] == 'x';
}
