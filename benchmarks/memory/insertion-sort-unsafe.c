// Unsafe (valid-deref): The last place is looked at before it is known whether there is one below: index -1 is read.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int count = __VERIFIER_nondet_int();
  if (count < 1 || count > 100000)
    return 0;
  int *items = malloc(count * sizeof *items);
  if (!items)
    return 0;
  for (int i = 0; i < count; i++)
    items[i] = __VERIFIER_nondet_int();
  for (int i = 1; i < count; i++) {
    int item = items[i], place = i;
    for (; items[place - 1] > item && place > 0; place--)
      items[place] = items[place - 1];
    items[place] = item;
  }
  free(items);
  return 0;
}
