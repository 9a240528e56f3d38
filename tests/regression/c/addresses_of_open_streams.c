// chcverify: --timeout 30
// Streams that are open at the same time have addresses of their own, also where one of them was closed before.
#include <stdio.h>
void reach_error(void);

int main(void) {
  FILE *one = fopen("a", "r");
  FILE *two = fopen("b", "r");
  if (!one || !two) return 0;
  if (one == two) reach_error();
  fclose(one);
  fputs("text", two);
  return 0;
}
