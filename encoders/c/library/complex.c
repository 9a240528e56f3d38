/* Parts of complex numbers (C11 7.3.9), and absolute values, which libraries round differently. */
double __chcverify_absolute_value(void);

double creal(double _Complex z) { return __real__ z; }

float crealf(float _Complex z) { return __real__ z; }

double cimag(double _Complex z) { return __imag__ z; }

float cimagf(float _Complex z) { return __imag__ z; }

double _Complex conj(double _Complex z) { return ~z; }

float _Complex conjf(float _Complex z) { return ~z; }

/* Of a number on an axis it is exact; a part that is infinite makes it infinite, and any other one that is no number
   makes it none. */
double cabs(double _Complex z) {
  double real = __real__ z < 0 ? -__real__ z : __real__ z, imaginary = __imag__ z < 0 ? -__imag__ z : __imag__ z;
  if (imaginary == 0) return real == 0 ? 0.0 : real;
  if (real == 0) return imaginary;
  double value = __chcverify_absolute_value();
  if (real == real && imaginary == imaginary) __VERIFIER_assume(value >= 0);
  return value;
}

float cabsf(float _Complex z) { return (float)cabs(z); }
