// chcverify: --property valid-memsafety --engine bounded --timeout 120
// The first state has several cases, by the object that is tracked: each leads to a definition of its own.
#include <string.h>
static char *shared;

static int last(void) {
  char copy[6];
  memset(copy, 'c', 5);
  copy[5] = 0;
  strncpy(copy, shared, strlen(copy));
  return copy[4];
}

int main(void) {
  char *text = __builtin_alloca(6);
  memset(text, 'a', 5);
  text[5] = 0;
  shared = text;
  return last();
}
