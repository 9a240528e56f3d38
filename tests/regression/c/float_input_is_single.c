// chcverify: --timeout 60 --engine bounded
// An input of type float is one of its values: 0.1 is none, and would differ from its copy.
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

int main(void) {
  float x = __VERIFIER_nondet_float(), y;
  if (!(x >= 1e-20f && x <= 1e20f))
    return 0;
  y = x;
  y = y / 2;
  y = y * 2;
  if (y != x)
    reach_error();
  return 0;
}
