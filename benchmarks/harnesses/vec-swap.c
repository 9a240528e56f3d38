// vec: three numbers in the opposite order.
#include "harness.h"
#include "vec/vec.c"

int main(void) {
  vec_int_t vector;
  int in[3];
  vec_init(&vector);
  for (int i = 0; i < 3; i++) {
    in[i] = __VERIFIER_nondet_int();
    vec_push(&vector, in[i]);
  }
  vec_reverse(&vector);
  for (int i = 0; i < 3; i++)
    CHECK(vector.data[i] == in[2 - i]);
  vec_deinit(&vector);
  return 0;
}
