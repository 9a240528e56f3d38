// Safe: A line is taken apart at commas.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *token(char **rest, char separator) {
  char *begin = *rest;
  if (!begin)
    return NULL;
  char *end = begin;
  while (*end && *end != separator)
    end++;
  if (*end) {
    *end = 0;
    *rest = end + 1;
  } else {
    *rest = NULL;
  }
  return begin;
}

int main(void) {
  char line[64];
  if (!fgets(line, 64, stdin))
    return 0;
  char *rest = line, *next;
  int count = 0;
  while ((next = token(&rest, ',')) != NULL)
    if (*next)
      count++;
  return count;
}
