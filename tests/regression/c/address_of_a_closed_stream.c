// chcverify: --timeout 30
// A stream may get the address of one that was closed (C11 7.21.3p4): neither result of the comparison is certain.
#include <stdio.h>
void reach_error(void);

int main(void) {
  FILE *old = fopen("a", "r");
  if (!old) return 0;
  fclose(old);
  FILE *fresh = fopen("b", "r");
  if (!fresh) return 0;
  if (old == fresh) reach_error();
  return 0;
}
