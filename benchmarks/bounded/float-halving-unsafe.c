// Halving a normal float and doubling it again is exact.
extern float __VERIFIER_nondet_float(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  float x = __VERIFIER_nondet_float(), y;
  if (!(x >= 1e-40f && x <= 1e20f))
    return 0;
  y = x;
  for (int i = 0; i < 8; i++)
    y = y / 2;
  for (int i = 0; i < 8; i++)
    y = y * 2;
  if (y != x)
    reach_error();
  return 0;
}
