// chcverify: --property undefined-behaviour --timeout 60
// Any of the streams that were closed may be the one that is used.
#include <stdio.h>
int main(void) {
  FILE *one = fopen("one", "r"), *two = fopen("two", "r");
  if (!one || !two) return 0;
  fclose(one);
  fclose(two);
  return fgetc(two);
}
