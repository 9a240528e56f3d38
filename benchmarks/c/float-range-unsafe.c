// A bound of a sum of bounded values.
extern float __VERIFIER_nondet_float(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  float x = __VERIFIER_nondet_float();
  if (!(x >= 0.0f && x <= 1.0f))
    return 0;
  float y = x / 2.0f + 0.5f;
  if (!(y >= 0.5f && y <= 1.0f && y != 0.75f))
    reach_error();
  return 0;
}
