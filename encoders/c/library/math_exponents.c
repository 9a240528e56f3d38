/* <math.h>: functions whose results are exact, computed by doubling, halving and subtracting, which are exact, too.
   Those of float are those of double: what they give is a float again. Numbers behind errno are EDOM and ERANGE.
   Loops count down from a number that they never reach, so that they plainly end: a double has 2,098 binary places. */
int *__errno_location(void);

double modf(double value, double *whole) {
  *whole = trunc(value);
  if (value != value || value == 0) return value;
  double rest = __builtin_isinf(value) ? 0.0 : value - *whole;
  return rest == 0 && value < 0 ? -0.0 : rest;
}

float modff(float value, float *whole) {
  double found;
  float rest = modf(value, &found);
  *whole = found;
  return rest;
}

double frexp(double value, int *exponent) {
  *exponent = 0;
  if (!__builtin_isfinite(value) || value == 0) return value;
  int count = 0;
  for (int left = 40; left > 0 && (value >= 18446744073709551616.0 || value <= -18446744073709551616.0); left--) {
    value = value / 18446744073709551616.0; /* 2^64 */
    count = count + 64;
  }
  for (int left = 40; left > 0 && value < 5.421010862427522e-20 && value > -5.421010862427522e-20; left--) {
    value = value * 18446744073709551616.0; /* while it is below 2^-64 */
    count = count - 64;
  }
  for (int left = 100; left > 0 && (value >= 1 || value <= -1); left--) {
    value = value / 2;
    count = count + 1;
  }
  for (int left = 100; left > 0 && value < 0.5 && value > -0.5; left--) {
    value = value * 2;
    count = count - 1;
  }
  *exponent = count;
  return value;
}

float frexpf(float value, int *exponent) { return frexp(value, exponent); }

/* Quotients are exact down to 2^-1022; what remains of the exponent is one product, which is rounded once. From 2^-1021
   times 2^-54 on that is zero. */
double ldexp(double value, int exponent) {
  if (!__builtin_isfinite(value) || value == 0) return value;
  while (exponent >= 64 && __builtin_isfinite(value)) {
    value = value * 18446744073709551616.0; /* 2^64 */
    exponent = exponent - 64;
  }
  while (exponent > 0 && __builtin_isfinite(value)) {
    value = value * 2;
    exponent = exponent - 1;
  }
  while (exponent <= -64 && (value >= 1e-280 || value <= -1e-280)) {
    value = value / 18446744073709551616.0;
    exponent = exponent + 64;
  }
  while (exponent < 0 && (value >= 4.450147717014403e-308 || value <= -4.450147717014403e-308)) {
    value = value / 2;
    exponent = exponent + 1;
  }
  double power = 1;
  for (int left = exponent < -60 ? -60 : exponent; left < 0; left++) power = power / 2;
  value = value * power;
  if (!__builtin_isfinite(value) || value == 0) *__errno_location() = 34;
  return value;
}

float ldexpf(float value, int exponent) {
  if (!__builtin_isfinite(value) || value == 0) return value;
  float result = ldexp(value, exponent);
  if (!__builtin_isfinite(result) || result == 0) *__errno_location() = 34;
  return result;
}

double scalbn(double value, int exponent) { return ldexp(value, exponent); }

float scalbnf(float value, int exponent) { return ldexpf(value, exponent); }

double scalbln(double value, long exponent) {
  return ldexp(value, exponent > 10000 ? 10000 : exponent < -10000 ? -10000 : exponent);
}

float scalblnf(float value, long exponent) {
  return ldexpf(value, exponent > 10000 ? 10000 : exponent < -10000 ? -10000 : exponent);
}

int ilogb(double value) {
  if (value == 0 || value != value) {
    *__errno_location() = 33;
    return -2147483647 - 1;
  }
  if (__builtin_isinf(value)) {
    *__errno_location() = 33;
    return 2147483647;
  }
  int exponent;
  frexp(value, &exponent);
  return exponent - 1;
}

int ilogbf(float value) { return ilogb(value); }

double logb(double value) {
  if (value != value) return value;
  if (__builtin_isinf(value)) return __builtin_inf();
  if (value == 0) return -__builtin_inf();
  return ilogb(value);
}

float logbf(float value) { return logb(value); }

/* The divisor times a power of 2 is subtracted where it fits, from the largest power on. */
static double remainder_of_division(double rest, double divisor) {
  if (!(rest >= divisor)) return rest;
  double multiple = divisor;
  for (int left = 2200; left > 0 && multiple <= rest - multiple; left--) multiple = multiple + multiple;
  for (int left = 2200; left > 0 && multiple > divisor; left--) {
    if (rest >= multiple) rest = rest - multiple;
    multiple = multiple / 2;
  }
  return rest >= divisor ? rest - divisor : rest;
}

double fmod(double left, double right) {
  if (left != left || right != right) return left + right;
  if (__builtin_isinf(left) || right == 0) {
    *__errno_location() = 33;
    return __builtin_nan("");
  }
  if (left == 0) return left;
  double rest = remainder_of_division(fabs(left), fabs(right));
  return left < 0 ? -rest : rest;
}

float fmodf(float left, float right) { return fmod(left, right); }

/* To the nearest multiple, of two equally near ones to the even one: the remainder by twice the divisor shows which. A
   result of 0 has the sign of left; that of glibc has not for divisors of at most 2^-1021. */
double remainder(double left, double right) {
  if (left != left || right != right) return left + right;
  if (__builtin_isinf(left) || right == 0) {
    *__errno_location() = 33;
    return __builtin_nan("");
  }
  if (left == 0) return left;
  double divisor = fabs(right), twice = divisor + divisor;
  double rest = remainder_of_division(fabs(left), twice);
  int is_odd = rest >= divisor;
  if (is_odd) rest = rest - divisor;
  double above = divisor - rest;
  if (rest > above || (rest == above && is_odd)) rest = rest - divisor;
  return left < 0 ? -rest : rest;
}

float remainderf(float left, float right) { return remainder(left, right); }

double drem(double left, double right) { return remainder(left, right); }

float dremf(float left, float right) { return remainder(left, right); }

long lrintf(float value) { return rintf(value); }

long long llrintf(float value) { return rintf(value); }
