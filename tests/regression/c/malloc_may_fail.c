// chcverify: --property undefined-behaviour --timeout 60
// Where null pointers are looked for, malloc may fail.
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  free(p);
  return 0;
}
