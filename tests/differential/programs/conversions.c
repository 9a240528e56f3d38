int main(void) {
  int i = __VERIFIER_nondet_int(); unsigned u = i; long l = -1; unsigned long ul = l; long long ll = -1; char c = -1;
  double d = -0.0; float f = 16777217;
  out_0 = 1 ? -1 : 0u;              /* unsigned int, then long long */
  out_1 = 1 ? (char)-1 : (unsigned char)1;
  out_2 = (0 ? 1u : -1) < 0;
  out_3 = (1 ? -1 : 1LL) < 0;
  out_4 = ul == ll; out_5 = l > u; out_6 = (unsigned char)c + c;
  out_7 = (long)u - l; out_8 = f == 16777216; out_9 = 1 / d < 0;
  out_10 = (int)2.9 + (int)-2.9; out_11 = (unsigned char)200.7;
  out_12 = 0.1 + 0.2 == 0.3; out_13 = 0.1f + 0.2f == 0.3f; out_14 = 0.1f == 0.1;
  out_15 = (float)0.1 == 0.1f; out_16 = (long long)1e18f; out_17 = 1e300 * 1e10 > 1e308;
  f = 3; out_18 = f / 2 * 4; f += 0.7; out_19 = f * 100; i = 7; i *= 1.5; out_20 = i; i += 0.9; out_21 = i;
  c = 100; c += 100; out_22 = c; c = 5; c *= 6.5; out_23 = c;
  out_24 = (unsigned long long)9.3e18; out_25 = (double)(unsigned long long)-1 == 18446744073709551616.0;
  out_26 = (float)2147483647 == 2147483648.0f; out_27 = (unsigned)(char)200 >> 28; out_28 = 5 / -2 * 10 + 5 % -2;
  out_29 = -5 / 2 * 10 + -5 % 2; out_30 = (short)40000 + (unsigned short)-1; out_31 = 'ab' + L'b' + '\x81' + '\0';
  out_32 = 0x7fffffff + 1 < 0; out_33 = sizeof(0x80000000) + sizeof(2147483648) + sizeof(4294967296);
  out_34 = !d; out_35 = d == 0 && -d == 0; out_36 = d ? 1 : 2; out_37 = (int)(char)(short)0x1234567; out_38 = ~0u / 2;
  out_39 = (double)1.79769313486231570814527423731704356798070e+308L == 0x1.fffffffffffffp1023; out_40 = (double)0.1L == 0.1;
  out_41 = (float)0.1L == 0.1f; out_42 = (int)2.99999999999999999999L; out_43 = (long long)9007199254740993.0L;
  finish();
}
