// Calloc clears, malloc gives fresh objects.
#include <stdlib.h>
void reach_error(void) { abort(); }

int main(void) {
  int *a = calloc(4, sizeof(int)), *b = malloc(4 * sizeof(int));
  b[2] = 9;
  if (a[2] != 9 || a == b)
    reach_error();
  free(a);
  free(b);
  return 0;
}
