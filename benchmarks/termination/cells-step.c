// Ends: the members of a record meet, in steps of a size on the heap that is at least 1.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct range { int low, high; };
int main(void) {
  struct range *range = malloc(sizeof *range);
  int *step = malloc(sizeof *step);
  range->low = __VERIFIER_nondet_int();
  range->high = __VERIFIER_nondet_int();
  *step = __VERIFIER_nondet_int();
  if (*step < 1 || *step > 1000 || range->low < -100000 || range->high > 100000)
    return 0;
  while (range->low < range->high)
    if (__VERIFIER_nondet_int())
      range->low += *step;
    else
      range->high -= *step;
  return 0;
}
