// chcverify: --timeout 30
// Blocks that live have different addresses, also where others were released before.
#include <stdlib.h>
void reach_error(void);

int main(void) {
  int *first = malloc(4), *second = malloc(4);
  if (first == second) reach_error();
  free(first);
  int *copy = second;
  if (copy != second) reach_error();
  free(second);
  return 0;
}
