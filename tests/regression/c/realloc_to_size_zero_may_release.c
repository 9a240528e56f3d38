// chcverify: --property bounds,null,lifetime,free --one-verdict --timeout 300
/* The old block may be released or not: freeing it again depends on that, so does the result. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  char *p = malloc(4);
  unsigned n = __VERIFIER_nondet_int() & 7;
  char *q = realloc(p, n);
  free(n > 0 ? q : p);
  return 0;
}
