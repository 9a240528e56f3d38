#ifndef CHC_MATH_H
#define CHC_MATH_H
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VAL __builtin_huge_val()
#define isnan(value) __builtin_isnan(value)
#define isinf(value) __builtin_isinf(value)
#define isfinite(value) __builtin_isfinite(value)
#define isgreater(left, right) __builtin_isgreater(left, right)
#define isgreaterequal(left, right) __builtin_isgreaterequal(left, right)
#define isless(left, right) __builtin_isless(left, right)
#define islessequal(left, right) __builtin_islessequal(left, right)
#define isunordered(left, right) __builtin_isunordered(left, right)
double fabs(double value);
float fabsf(float value);
double floor(double value);
float floorf(float value);
double ceil(double value);
float ceilf(float value);
double trunc(double value);
float truncf(float value);
double round(double value);
float roundf(float value);
double fmax(double left, double right);
float fmaxf(float left, float right);
double fmin(double left, double right);
float fminf(float left, float right);
double fdim(double left, double right);
double copysign(double magnitude, double sign);
double sqrt(double value);
double pow(double base, double exponent);
double exp(double value);
double log(double value);
double sin(double value);
double cos(double value);
double tan(double value);
double fmod(double left, double right);
#endif
