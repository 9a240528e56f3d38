// chcverify: --property undefined-behaviour --timeout 60
// A stream that was closed must not be used (C11 7.21.3p4).
#include <stdio.h>
int main(void) {
  char text[4];
  FILE *file = fopen("name", "r");
  if (!file) return 0;
  fclose(file);
  fread(text, 1, sizeof text, file);
  return 0;
}
