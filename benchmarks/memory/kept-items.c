// Safe: Items that are not zero move to the front: the index that is written is never above the one that is read.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int count = __VERIFIER_nondet_int();
  if (count < 1 || count > 100000)
    return 0;
  int *items = calloc(count, sizeof *items);
  if (!items)
    return 0;
  items[count - 1] = __VERIFIER_nondet_int();
  int kept = 0;
  for (int i = 0; i < count; i++)
    if (items[i] != 0)
      items[kept++] = items[i];
  while (kept < count)
    items[kept++] = 0;
  free(items);
  return 0;
}
