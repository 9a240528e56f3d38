// Safe: After realloc only the new block is used.
#include <stdlib.h>

int main(void) {
  int capacity = 2, count = 0;
  int *items = malloc(capacity * sizeof *items);
  for (int i = 0; i < 5; i++) {
    int *last = items;
    if (count == capacity) {
      capacity *= 2;
      items = realloc(items, capacity * sizeof *items);
      last = items;
    }
    last[count++] = i;
  }
  free(items);
  return 0;
}
