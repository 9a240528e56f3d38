// Four floats of [0, 1] have a sum of at most four, rounding or not.
extern float __VERIFIER_nondet_float(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  float sum = 0;
  for (int i = 0; i < 4; i++) {
    float x = __VERIFIER_nondet_float();
    if (!(x >= 0 && x <= 1))
      return 0;
    sum += x;
  }
  if (!(sum < 4))
    reach_error();
  return 0;
}
