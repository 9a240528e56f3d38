// vec: an element that is in a vector of three numbers is found where it is first.
#include "harness.h"
#include "vec/vec.c"

int main(void) {
  vec_int_t vector;
  int in[3], wanted = __VERIFIER_nondet_int(), index;
  vec_init(&vector);
  for (int i = 0; i < 3; i++) {
    in[i] = __VERIFIER_nondet_int();
    vec_push(&vector, in[i]);
  }
  vec_find(&vector, wanted, index);
  CHECK(-1 <= index && index < 3);
  if (index >= 0)
    CHECK(in[index] == wanted);
  else
    CHECK(in[0] != wanted && in[1] != wanted && in[2] != wanted);
  vec_deinit(&vector);
  return 0;
}
