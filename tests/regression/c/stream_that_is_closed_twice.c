// chcverify: --property valid-memsafety --timeout 60
// fclose closes an open stream (C11 7.21.5.1).
#include <stdio.h>
int main(void) {
  FILE *file = fopen("name", "r");
  if (!file) return 0;
  fclose(file);
  fclose(file);
  return 0;
}
