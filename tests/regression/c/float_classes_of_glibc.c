// glibc's functions say -1 of minus infinity, gcc's operation says 1; subnormal numbers, and doubles that no float is.
extern int __isinf(double), __isinff(float), isinff(float), isinf(double), __finite(double), finitef(float);
extern int __isnan(double), __isnanf(float), __fpclassify(double), __fpclassifyf(float);
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);
int main(void) {
  double infinite = -1e308 * 10, nan = infinite - infinite, x = __VERIFIER_nondet_double();
  if (__isinf(infinite) != -1 || __isinff(infinite) != -1 || isinff(-infinite) != 1 || isinf(infinite) != 1) reach_error();
  if (__finite(infinite) || finitef(1e300) || !__finite(1e300) || !__isnan(nan) || __isnanf(1)) reach_error();
  if (__fpclassify(nan) != 0 || __fpclassify(infinite) != 1 || __fpclassify(-0.0) != 2) reach_error();
  if (__fpclassify(1e-310) != 3 || __fpclassify(-3) != 4 || __fpclassifyf(1e-39) != 3) reach_error();
  if (__builtin_isnormal(infinite) || __builtin_isnormal(1e-310) || !__builtin_isnormal(-2.5f)) reach_error();
  if (__builtin_isnormal(x) && __isinf(x)) reach_error();
  return 0;
}
