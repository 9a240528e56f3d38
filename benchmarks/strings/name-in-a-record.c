// Safe: A name is cut to the room in a record.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
  int id;
  char name[32];
};

int main(void) {
  struct record one;
  char line[64];
  if (!fgets(line, 64, stdin))
    return 0;
  one.id = 1;
  strncpy(one.name, line, sizeof one.name - 1);
  one.name[31] = 0;
  int length = 0;
  for (const char *at = one.name; *at; at++)
    length++;
  return length + one.id;
}
