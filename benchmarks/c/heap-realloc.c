// Realloc keeps the old elements.
#include <stdlib.h>
void reach_error(void) { abort(); }

int main(void) {
  int *a = malloc(2 * sizeof(int));
  a[0] = 1;
  a[1] = 2;
  a = realloc(a, 4 * sizeof(int));
  a[3] = 4;
  if (a[0] != 1 || a[1] != 2 || a[3] != 4)
    reach_error();
  free(a);
  return 0;
}
