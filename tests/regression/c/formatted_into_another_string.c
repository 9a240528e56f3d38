// chcverify: --property overlap --timeout 60
#include <stdio.h>

int main(void) {
  char a[16] = "x", b[16];
  sprintf(b, "%s!", a);
  return b[0];
}
