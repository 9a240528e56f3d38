// A run without end: each counter is set again by the step that takes one from the other.
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
      *first = 3;
    }
  return 0;
}
