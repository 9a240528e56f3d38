// chcverify: --property valid-memsafety --timeout 300
// A pointer that is declared with a value ends with its block, like one that is assigned later.
#include <stdlib.h>
int main(void) {
  int **outer = malloc(sizeof *outer);
  *outer = malloc(4);
  {
    int *inner = *outer;
    free(outer);
    outer = 0;
    *inner = 1;
  }
  while (1) {
  }
  return 0;
}
