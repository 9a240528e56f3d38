/* Integers to floating point and back, for values that are not known before the run: 3, 5, -7 and 11 are read in turn. */
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); unsigned u = __VERIFIER_nondet_uint(); unsigned char c = __VERIFIER_nondet_uchar();
  long long l = __VERIFIER_nondet_longlong(), m = __VERIFIER_nondet_longlong(); unsigned long long w = __VERIFIER_nondet_longlong(); short s = __VERIFIER_nondet_short();
  double d = u; out_0 = d > 4e9; float f = w; out_1 = f > 1e19f; out_2 = (double)w / 2 > 0; out_3 = d; d = -7; d = d / (a - 1); out_4 = d; out_5 = (unsigned char)(c + 0.5);
  d = (a + 2.5) / 2; out_6 = d * 8; out_7 = (int)-d; out_8 = (long long)(d * -3); f = (a + 16777214); out_9 = f; f = u; out_10 = f == u; out_11 = (float)0.1 == 0.1; out_12 = (s + 0.25f) * 4;
  d = b; d = d / 10 * l; out_13 = d * 100; _Bool t = d - d; out_14 = t; t = d; out_15 = t; out_16 = (unsigned)(d + m * 1000.5); out_17 = (signed char)(a * 3.9); out_18 = (long long)(w / 4.0) > 0;
  finish();
}
