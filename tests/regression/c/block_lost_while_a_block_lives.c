// chcverify: --property valid-memsafety --engine bmc --timeout 120
// The only pointer to a block is in another block, which lives for ever; the program does not end after it is cleared.
// The clauses do not model the leak of runs that do not end; an execution of the derived run shows it.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct samples { int *values; int count; };

int main(void) {
  struct samples *samples = malloc(sizeof *samples);
  samples->values = malloc(sizeof(int));
  samples->count = 1;
  while (1) {
    while (__VERIFIER_nondet_int())
      samples->count = 2;
    if (samples->count == 2)
      samples->values = 0;
  }
}
