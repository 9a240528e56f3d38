// chcverify: --timeout 60 --property undefined-behaviour --malloc may-fail
/* Where there is no memory, asprintf says so by its result, and not by a null pointer. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char *text;
  asprintf(&text, "a");
  text[0] = 'x';
  free(text);
  return 0;
}
