// Does not end: where x is NaN, no comparison holds.
extern float __VERIFIER_nondet_float(void);

int main(void) {
  float x = __VERIFIER_nondet_float();
  while (!(x <= 1.0f)) x = x / 2;
  return 0;
}
