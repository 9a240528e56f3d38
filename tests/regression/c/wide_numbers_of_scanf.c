// chcverify: --timeout 60
#include <stdio.h>
extern void reach_error(void);
/* A width of 20 characters bounds no number of 64 bits. */
int main(void) {
  long x = 0;
  if (scanf("%20ld", &x) == 1 && x > 2000000000000000) reach_error();
  return 0;
}
