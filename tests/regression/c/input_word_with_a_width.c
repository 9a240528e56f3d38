// chcverify: --timeout 60 --property undefined-behaviour
/* A width that counts the null character. */
#include <stdio.h>
int main(void) {
  char word[8];
  scanf("%7s", word);
  return 0;
}
