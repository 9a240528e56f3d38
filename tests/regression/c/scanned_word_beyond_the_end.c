// chcverify: --timeout 60 --property undefined-behaviour
/* The word and its null character do not fit. */
#include <stdio.h>
int main(void) {
  char word[5];
  return sscanf("hello", "%s", word);
}
