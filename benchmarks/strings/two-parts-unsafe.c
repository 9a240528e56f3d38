// Unsafe (valid-deref): The second part begins one character too late.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char line[64];
  if (!fgets(line, 64, stdin))
    return 0;
  char *second = strchr(line, ':');
  if (second) {
    *second = 0;
    second += 2;
    while (*second)
      second++;
  }
  return strlen(line) > 3;
}
