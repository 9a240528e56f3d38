/* gcc keeps the width of a wide bit-field in expressions, but stores such a value in whole registers. */
struct wide { unsigned long long a : 38; long long b : 33; long long c : 60; unsigned d : 17; } x;
int main(void) {
  x.a = 0x3fffffffffULL;
  x.b = __VERIFIER_nondet_int();
  out_0 = sizeof(+x.a);
  out_1 = sizeof(-x.b) + 16 * sizeof(x.c + x.b) + 256 * sizeof(+x.d);
  out_2 = sizeof(__typeof__(x.a + x.a)[3]);
  out_3 = x.a + 1;
  out_4 = x.b * 3;
  finish();
  return 0;
}
