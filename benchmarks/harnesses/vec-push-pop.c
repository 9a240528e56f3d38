// vec: four bytes pushed come back in the opposite order.
#include "harness.h"
#include "vec/vec.c"

int main(void) {
  vec_char_t vector;
  char in[4];
  FILL(in, 4);
  vec_init(&vector);
  for (int i = 0; i < 4; i++)
    vec_push(&vector, in[i]);
  CHECK(vector.length == 4 && vector.capacity == 4);
  for (int i = 3; i >= 0; i--)
    CHECK(vec_pop(&vector) == in[i]);
  vec_deinit(&vector);
  return 0;
}
