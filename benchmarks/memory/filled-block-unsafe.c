// Unsafe (uninitialised): A block for four numbers is summed, but the last one was never written.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int *numbers = malloc(4 * sizeof *numbers), sum = 0;
  for (int i = 0; i < 3; i++)
    numbers[i] = __VERIFIER_nondet_int() > 0;
  for (int i = 0; i < 4; i++)
    sum += numbers[i];
  free(numbers);
  return sum > 2;
}
