// chcverify: --timeout 60 --property undefined-behaviour
/* A width that does not count the null character. */
#include <stdio.h>
int main(void) {
  char word[8];
  scanf("%8s", word);
  return 0;
}
