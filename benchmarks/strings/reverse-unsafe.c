// Unsafe (valid-deref): A line need not end in a line feed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void lower(char *text) {
  for (; *text != '\n'; text++)
    if (*text >= 'A' && *text <= 'Z')
      *text += 32;
}

static void reverse(char *text) {
  char *end = text;
  while (*end)
    end++;
  while (text < end) {
    end--;
    if (text < end) {
      char last = *end;
      *end = *text;
      *text = last;
      text++;
    }
  }
}

int main(void) {
  char line[64];
  if (!fgets(line, 64, stdin))
    return 0;
  lower(line);
  reverse(line);
  return (int)strlen(line);
}
