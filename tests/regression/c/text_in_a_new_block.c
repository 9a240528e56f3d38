// chcverify: --property bounds --timeout 60
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *text;
  int length = asprintf(&text, "-%s", "x");
  if (length != 2 || text[2]) return 0;
  text[3] = 0;
  free(text);
  return 0;
}
