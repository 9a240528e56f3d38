// chcverify: --property overlap --timeout 60
#include <stdio.h>

int main(void) {
  char a[16] = "x";
  sprintf(a, "%s!", a);
  return a[0];
}
