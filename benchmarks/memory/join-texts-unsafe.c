// Unsafe (valid-deref): The separator is not counted: the zero is written beyond the block.
#include <stdlib.h>
#include <string.h>

int main(void) {
  const char *left = "ab", *right = "cde";
  size_t n = strlen(left), m = strlen(right);
  char *joined = malloc(n + m + 1);
  memcpy(joined, left, n);
  joined[n] = '/';
  memcpy(joined + n + 1, right, m + 1);
  free(joined);
  return 0;
}
