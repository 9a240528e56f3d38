// chcverify: --property undefined-behaviour,leak --malloc may-fail --timeout 60
// Each failure is looked at; realloc that fails leaves the old block, and evaluates its arguments.
#include <stdlib.h>
#include <string.h>
int main(void) {
  unsigned long n = 1;
  char *p = malloc(n++);
  if (!p) return n != 2;
  char *q = realloc(p, ++n);
  if (!q) {
    p[0] = 1;
    free(p);
    return n != 3;
  }
  q[2] = 0;
  q[1] = 0;
  q[0] = 'a';
  char *r = strdup(q);
  if (r) r[1] = 'b';
  free(q);
  free(r);
  return 0;
}
