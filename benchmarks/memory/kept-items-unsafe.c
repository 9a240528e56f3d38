// Unsafe (valid-deref): The rest is cleared from the item before the first on, where none was kept.
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
  for (kept--; kept < count;)
    items[kept++] = 0;
  free(items);
  return 0;
}
