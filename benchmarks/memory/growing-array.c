// Safe: After realloc only the new block is used.
#include <stdlib.h>

int main(void) {
  int capacity = 2, count = 0;
  int *items = malloc(capacity * sizeof *items);
  for (int i = 0; i < 5; i++) {
    int *first = items;
    if (count == capacity) {
      capacity *= 2;
      items = realloc(items, capacity * sizeof *items);
      first = items;
    }
    items[count++] = i;
    first[0] = count;
  }
  free(items);
  return 0;
}
