// chcverify: --timeout 60 --property undefined-behaviour
/* The width leaves room for the null character. */
#include <stdio.h>
int main(void) {
  char word[5];
  return sscanf("hello", "%4s", word);
}
