// chcverify: --data-model ILP32 --timeout 60
#include <stdio.h>
extern void reach_error(void);
/* Twelve digits bound a number beyond 32 bits, which is no long here. */
int main(void) {
  long long x = 0;
  if (scanf("%12lld", &x) == 1 && x > 99999999999 && x <= 999999999999) reach_error();
  return 0;
}
