// Safe: The place of an item is looked for downwards from its own index, which is less than the number of items.
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
    for (; place > 0 && items[place - 1] > item; place--)
      items[place] = items[place - 1];
    items[place] = item;
  }
  free(items);
  return 0;
}
