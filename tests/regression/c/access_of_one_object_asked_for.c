// chcverify: --timeout 60 --property undefined-behaviour
// To ask if an object can be read is no access to it, and runs go on where it cannot.
#include <stdlib.h>
_Bool __CPROVER_r_ok(const void *, ...);
void reach_error(void);

int main(void) {
  int *block = malloc(sizeof *block);
  if (!block) return 0;
  *block = 1;
  free(block);
  if (!__CPROVER_r_ok(block)) reach_error();
  return 0;
}
