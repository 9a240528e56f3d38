int main(void) {
  unsigned char uc = 255; signed char sc = -1; char c = '\377'; unsigned short us = 65535; short s = -32768;
  _Bool b = 2; unsigned u = 0x80000000u; int i = -8; long long ll = 1; int n = __VERIFIER_nondet_int() & 7;
  out_0 = uc << 24;                 /* int: negative after the wrap */
  out_1 = (unsigned char)(uc << 1);
  out_2 = sc >> 1;
  out_3 = u >> 31 | i >> 1;
  out_4 = us * us;                  /* int overflow wraps */
  out_5 = -us;
  out_6 = ~b;
  out_7 = !sc + -b;
  out_8 = (1 << 31) >> 31;
  out_9 = ll << 40 >> 3;
  out_10 = c == 255;
  out_11 = (unsigned char)c == 255;
  out_12 = sc < us;
  out_13 = -1 < 1u;
  out_14 = -1L < 1u;                /* differs between data models */
  out_15 = sizeof(sc + sc) + sizeof(1 ? sc : sc) + sizeof(b) + sizeof('a') + sizeof(1L << 1u);
  out_16 = s - 1;
  out_17 = (short)(s - 1);
  uc += 1; out_18 = uc;
  uc -= 2; out_19 = uc;
  us <<= 4; out_20 = us;
  sc >>= n; out_21 = sc;
  b += 3; out_22 = b;
  b--; out_23 = b; b--; out_24 = b;
  i /= 3u; out_25 = i;
  i = -7; i %= 3; out_26 = i;
  u = 5; u -= 6; out_27 = u;
  i = 300; c = i; out_28 = c;
  i = -1; i >>= 1u; out_29 = i;
  i = 1 << n; out_30 = i;
  ll = i << 31; out_31 = ll;
  finish();
}
