// Safe: Three rows of five numbers in one block: row r begins at 5 r, and 5 * 2 + 4 is the last of 15.
#include <stdlib.h>

int main(void) {
  int *matrix = malloc(3 * 5 * sizeof(int));
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 5; c++)
      matrix[5 * r + c] = r == c;
  free(matrix);
  return 0;
}
