// chcverify: --timeout 60
#include <assert.h>
#include <stdlib.h>
typedef struct { void *(*take)(size_t); } hooks;
static void *none(size_t size) { return 0; }
static hooks used = {malloc};
extern int __VERIFIER_nondet_int(void);
int main(void) {
  if (__VERIFIER_nondet_int()) used.take = none;
  assert(used.take(sizeof(int)));
  return 0;
}
