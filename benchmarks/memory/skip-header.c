// Safe: The parser moves a pointer of its own; the block is released through the pointer to its first byte.
#include <stdlib.h>
extern char __VERIFIER_nondet_char(void);

int main(void) {
  char *buffer = malloc(8), *position = buffer;
  for (int i = 0; i < 7; i++)
    buffer[i] = __VERIFIER_nondet_char();
  buffer[7] = 0;
  while (*position == '#')
    position++;
  char first = *position;
  free(buffer);
  return first;
}
