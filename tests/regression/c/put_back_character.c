// chcverify: --timeout 60
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  if (ungetc('a', stdin) == 'a' && getchar() != 'a') reach_error();
  return 0;
}
