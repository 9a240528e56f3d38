// Unsafe (conversion): A temperature in degrees is stored in a byte, beginning at -40. Nothing clamps those that are too
// low, or no number at all: they do not fit.
extern double __VERIFIER_nondet_double(void);

static unsigned char stored(double degrees) {
  if (degrees > 200.0)
    return 240;
  return degrees + 40.0;
}

int main(void) {
  return stored(__VERIFIER_nondet_double()) > 60;
}
