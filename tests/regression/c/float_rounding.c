// chcverify: --engine spacer --timeout 600
// A derivation through floating-point values: they are values of a certificate like any other.
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

int main(void) {
  float f = __VERIFIER_nondet_float();
  float g = f + 1.0f;
  if (f == 16777216.0f && g == f)
    reach_error();
  return 0;
}
