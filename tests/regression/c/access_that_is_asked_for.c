// chcverify: --timeout 60 --property undefined-behaviour
// What __CPROVER_w_ok says is the truth in runs: a write beyond the end where it says that there is none.
#include <stdlib.h>
_Bool __CPROVER_w_ok(const void *, size_t);

int main(void) {
  char *p = malloc(10);
  if (!p) return 0;
  if (!__CPROVER_w_ok(p, 11)) p[10] = 1;
  free(p);
  return 0;
}
