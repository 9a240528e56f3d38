// Unsafe (valid-deref): The copy has no byte for the zero that strcpy writes.
#include <stdlib.h>
#include <string.h>

static char *copy_of(const char *text) {
  char *copy = malloc(strlen(text));
  strcpy(copy, text);
  return copy;
}

int main(void) {
  char *copy = copy_of("sensor");
  int length = strlen(copy);
  free(copy);
  return length;
}
