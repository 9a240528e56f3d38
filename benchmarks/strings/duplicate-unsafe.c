// Unsafe (valid-deref): There is no room for the end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char line[64];
  if (!fgets(line, 64, stdin))
    return 0;
  size_t length = strlen(line);
  char *copy = malloc(length);
  if (!copy)
    return 0;
  for (size_t i = 0; i <= length; i++)
    copy[i] = line[i];
  int count = 0;
  for (char *at = copy; *at; at++)
    count++;
  free(copy);
  return count;
}
