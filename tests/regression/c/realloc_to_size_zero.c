// chcverify: --property bounds,null,lifetime,free --one-verdict --timeout 300
/* Whatever realloc to size 0 gives: its result is used only if there are bytes. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  char *p = malloc(4);
  unsigned n = __VERIFIER_nondet_int() & 7;
  char *q = realloc(p, n);
  if (n > 0) q[n - 1] = 1;
  if (n > 0) free(q);
  return 0;
}
