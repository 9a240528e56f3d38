// Unsafe (valid-deref): Equal lines are read beyond their ends.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const char *one, const char *other) {
  while (*one == *other) {
    one++;
    other++;
  }
  return *one - *other;
}

int main(void) {
  char first[64], second[64];
  if (!fgets(first, 64, stdin) || !fgets(second, 64, stdin))
    return 0;
  return compare(first, second);
}
