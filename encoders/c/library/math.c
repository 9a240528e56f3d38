/* <math.h>: what is exact in the program's own arithmetic. The sign of a zero or of a NaN is kept where it matters. */
int *__errno_location(void);

double nan(const char *text) { return strlen(text) ? __builtin_nan("") : __builtin_nan(""); } /* the string is read */

float nanf(const char *text) { return (float)nan(text); }

long double nanl(const char *text) { return strlen(text) ? __builtin_nanl("") : __builtin_nanl(""); }

double fabs(double value) { return value < 0 ? -value : value == 0 ? 0.0 : value; }

float fabsf(float value) { return value < 0 ? -value : value == 0 ? 0.0f : value; }

/* 2^52 and 2^23: from there on every value is whole. */
double trunc(double value) {
  if (!(value > -4503599627370496.0 && value < 4503599627370496.0) || value == 0) return value;
  double whole = (double)(long long)value;
  return whole == 0 && value < 0 ? -0.0 : whole;
}

float truncf(float value) {
  if (!(value > -8388608.0f && value < 8388608.0f) || value == 0) return value;
  float whole = (float)(int)value;
  return whole == 0 && value < 0 ? -0.0f : whole;
}

double floor(double value) {
  if (!(value > -4503599627370496.0 && value < 4503599627370496.0) || value == 0) return value;
  double whole = (double)(long long)value;
  return whole > value ? whole - 1 : whole;
}

float floorf(float value) {
  if (!(value > -8388608.0f && value < 8388608.0f) || value == 0) return value;
  float whole = (float)(int)value;
  return whole > value ? whole - 1 : whole;
}

double ceil(double value) {
  if (!(value > -4503599627370496.0 && value < 4503599627370496.0) || value == 0) return value;
  double whole = (double)(long long)value;
  if (whole < value) whole = whole + 1;
  return whole == 0 && value < 0 ? -0.0 : whole;
}

float ceilf(float value) {
  if (!(value > -8388608.0f && value < 8388608.0f) || value == 0) return value;
  float whole = (float)(int)value;
  if (whole < value) whole = whole + 1;
  return whole == 0 && value < 0 ? -0.0f : whole;
}

double round(double value) {
  if (!(value > -4503599627370496.0 && value < 4503599627370496.0) || value == 0) return value;
  double whole = (double)(long long)value;
  double rest = value - whole;
  if (rest >= 0.5) whole = whole + 1;
  if (rest <= -0.5) whole = whole - 1;
  return whole == 0 && value < 0 ? -0.0 : whole;
}

float roundf(float value) {
  if (!(value > -8388608.0f && value < 8388608.0f) || value == 0) return value;
  float whole = (float)(int)value;
  float rest = value - whole;
  if (rest >= 0.5f) whole = whole + 1;
  if (rest <= -0.5f) whole = whole - 1;
  return whole == 0 && value < 0 ? -0.0f : whole;
}

/* Of zeros with different signs the GNU library takes the second for LP64, the first for ILP32. */
double fmax(double left, double right) {
  if (left != left) return right;
  if (right != right) return left;
  if (left == right) return sizeof(long) == 8 ? right : left;
  return left > right ? left : right;
}

float fmaxf(float left, float right) {
  if (left != left) return right;
  if (right != right) return left;
  if (left == right) return sizeof(long) == 8 ? right : left;
  return left > right ? left : right;
}

double fmin(double left, double right) {
  if (left != left) return right;
  if (right != right) return left;
  if (left == right) return sizeof(long) == 8 ? right : left;
  return left < right ? left : right;
}

float fminf(float left, float right) {
  if (left != left) return right;
  if (right != right) return left;
  if (left == right) return sizeof(long) == 8 ? right : left;
  return left < right ? left : right;
}

double fdim(double left, double right) {
  if (left != left) return left;
  if (right != right) return right;
  if (!(left > right)) return 0.0;
  double difference = left - right;
  if (difference - difference != 0 && left - left == 0 && right - right == 0) *__errno_location() = 34; /* ERANGE */
  return difference;
}

float fdimf(float left, float right) {
  if (left != left) return left;
  if (right != right) return right;
  if (!(left > right)) return 0.0f;
  float difference = left - right;
  if (difference - difference != 0 && left - left == 0 && right - right == 0) *__errno_location() = 34; /* ERANGE */
  return difference;
}

long double fabsl(long double value) { return value < 0 ? -value : value == 0 ? 0.0 : value; }

/* From 2^52 and 2^23 on there are no fractions: adding that rounds to a whole number, ties to even. */
/* How operations round: 0 to nearest, or FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO of x86. What is inexact is modelled for
   the first only. */
static int rounding;

int fegetround(void) { return rounding; }

int fesetround(int mode) {
  if (mode != 0 && mode != 0x400 && mode != 0x800 && mode != 0xc00) return 1;
  rounding = mode;
  return 0;
}

void __chcverify_require_nearest(void) {
  if (rounding != 0) __chcverify_other_rounding();
}

double rint(double value) {
  if (rounding == 0x400) return floor(value);
  if (rounding == 0x800) return ceil(value);
  if (rounding == 0xc00) return trunc(value);

  if (!(value > -4503599627370496.0 && value < 4503599627370496.0) || value == 0) return value;
  if (value > 0) return value + 4503599627370496.0 - 4503599627370496.0;
  double whole = value - 4503599627370496.0 + 4503599627370496.0;
  return whole == 0 ? -0.0 : whole;
}

float rintf(float value) {
  if (rounding == 0x400) return floorf(value);
  if (rounding == 0x800) return ceilf(value);
  if (rounding == 0xc00) return truncf(value);

  if (!(value > -8388608.0f && value < 8388608.0f) || value == 0) return value;
  if (value > 0) return value + 8388608.0f - 8388608.0f;
  float whole = value - 8388608.0f + 8388608.0f;
  return whole == 0 ? -0.0f : whole;
}

double nearbyint(double value) { return rint(value); }

float nearbyintf(float value) { return rintf(value); }

long lrint(double value) { return rint(value); }

long long llrint(double value) { return rint(value); }

long lround(double value) { return round(value); }

long lroundf(float value) { return roundf(value); }

long long llround(double value) { return round(value); }

long long llroundf(float value) { return roundf(value); }

/* FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL and FP_NORMAL of glibc */
int __fpclassify(double value) {
  if (__builtin_isnan(value)) return 0;
  if (__builtin_isinf(value)) return 1;
  if (value == 0) return 2;
  return __builtin_isnormal(value) ? 4 : 3;
}

int __fpclassifyf(float value) {
  if (__builtin_isnan(value)) return 0;
  if (__builtin_isinf(value)) return 1;
  if (value == 0) return 2;
  return __builtin_isnormal(value) ? 4 : 3;
}

/* All NaNs are one value here, so their signs are not modelled. */
int __builtin_signbit(double value) {
  if (value != value) __chcverify_sign_of_nan();
  return value < 0 || (value == 0 && 1 / value < 0);
}

int __builtin_signbitf(float value) {
  if (value != value) __chcverify_sign_of_nan();
  return value < 0 || (value == 0 && 1 / value < 0);
}

int __signbit(double value) { return __builtin_signbit(value); }

int __signbitf(float value) { return __builtin_signbitf(value); }

double copysign(double magnitude, double sign) {
  if (magnitude != magnitude) return magnitude;
  return __builtin_signbit(magnitude) == __builtin_signbit(sign) ? magnitude : -magnitude;
}

float copysignf(float magnitude, float sign) {
  if (magnitude != magnitude) return magnitude;
  return __builtin_signbitf(magnitude) == __builtin_signbitf(sign) ? magnitude : -magnitude;
}
