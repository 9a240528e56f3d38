// chcverify: --property bounds,null,lifetime,free --one-verdict --timeout 300
/* The result may be null, or a block without bytes. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  char *p = malloc(4);
  unsigned n = __VERIFIER_nondet_int() & 7;
  char *q = realloc(p, n);
  *q = 1;
  free(q);
  return 0;
}
