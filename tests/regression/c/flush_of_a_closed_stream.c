// chcverify: --timeout 60 --property undefined-behaviour
// A stream that is given to fflush must be open, or null (C11 7.21.5.2, 7.21.3p4).
#include <stdio.h>

int main(void) {
  FILE *file = fopen("log", "w");
  if (!file) return 0;
  fflush(0);
  fclose(file);
  fflush(file);
  return 0;
}
