// chcverify: --property undefined-behaviour
#include <assert.h>
void __CPROVER_havoc_object(void *);
struct pair { int a, b[3]; };
int main(void) {
  struct pair x = {1}, y = {2};
  int *inner = &x.b[1], kept = 7;
  __CPROVER_havoc_object(inner);
  assert(y.a == 2 && kept == 7);
  return x.a;
}
