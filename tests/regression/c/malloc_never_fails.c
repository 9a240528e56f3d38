// chcverify: --property undefined-behaviour --malloc never-fails --timeout 60
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  free(p);
  return 0;
}
