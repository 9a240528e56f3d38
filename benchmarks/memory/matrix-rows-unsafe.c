// Unsafe (valid-deref): The block is allocated for three rows of four numbers.
#include <stdlib.h>

int main(void) {
  int *matrix = malloc(3 * 4 * sizeof(int));
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 5; c++)
      matrix[5 * r + c] = r == c;
  free(matrix);
  return 0;
}
