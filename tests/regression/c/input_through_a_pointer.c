// chcverify: --timeout 60
#include <assert.h>
#include <stdio.h>
static int (*get)(const char *, ...) = scanf;
int main(void) {
  int x = 1;
  get("%d", &x);
  assert(x == 1);
  return 0;
}
