// Unsafe (valid-free): The moved pointer is released: it points behind the block's first byte.
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
  free(position);
  return first;
}
