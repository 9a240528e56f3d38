// Ends: the first counter goes down, or stays while the second one goes down. Both are on the heap.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int *first = malloc(sizeof *first), *second = malloc(sizeof *second);
  *first = __VERIFIER_nondet_int();
  *second = __VERIFIER_nondet_int();
  while (*first > 0 && *second > 0)
    if (__VERIFIER_nondet_int()) {
      --*first;
      *second = __VERIFIER_nondet_int();
    } else {
      --*second;
    }
  return 0;
}
