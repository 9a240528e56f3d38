// chcverify: --property valid-memsafety --timeout 120
// A block that another block holds, in a loop whose bound is in that block: no counter shows that the loop ends.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct samples { int *values; int count; };

int main(void) {
  struct samples *samples = malloc(sizeof *samples);
  samples->count = 3;
  samples->values = __VERIFIER_nondet_int() ? malloc(samples->count * sizeof(int)) : 0;
  if (!samples->values) {
    free(samples);
    return 1;
  }
  for (int i = 0; i < samples->count; i++)
    samples->values[i] = i;
  free(samples->values);
  free(samples);
  return 0;
}
