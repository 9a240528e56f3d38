// Safe: Two texts with a separator: the block counts both, the separator and the zero.
#include <stdlib.h>
#include <string.h>

int main(void) {
  const char *left = "ab", *right = "cde";
  size_t n = strlen(left), m = strlen(right);
  char *joined = malloc(n + m + 2);
  memcpy(joined, left, n);
  joined[n] = '/';
  memcpy(joined + n + 1, right, m + 1);
  free(joined);
  return 0;
}
