// chcverify: --property valid-memsafety --timeout 120
// fscanf may give any number, or none: then the object keeps its value.
#include <stdio.h>

int main(void) {
  int position = 3, cells[10];
  cells[3] = 0;
  fscanf(stdin, "%d", &position);
  if (position >= 0 && position <= 10) cells[position] = 1;
  return 0;
}
