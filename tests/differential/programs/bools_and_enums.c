enum small { A, B, C = 5, D };
enum negative { M = -1, N };
enum big { X = 0x80000000u, Y = 1 };
struct flags { _Bool b : 1; enum small e : 3; int i : 1; unsigned u : 31; long long w : 35; unsigned long long v : 40; };
int main(void) {
  _Bool b = 0.5, z = 0.0, p = &b, q = (void *)0;
  enum small s = D; enum negative m = M; enum big x = X;
  struct flags f = { 2, 7, 1, -1, -1, -1 };
  out_0 = b + z * 2 + p * 4 + q * 8;
  out_1 = s; out_2 = m; out_3 = x;
  out_4 = (s - 7 < 0);              /* enum without negative constants is unsigned */
  out_5 = (m < 0);
  out_6 = sizeof(enum small) + sizeof(X) + sizeof(enum big);
  s -= 7; out_7 = s; out_8 = s > 0;
  out_9 = f.b; out_10 = f.e; out_11 = f.i; out_12 = f.u; out_13 = f.w; out_14 = f.v;
  out_15 = f.u - 0x7fffffff < 0;    /* a 31-bit field is promoted to int */
  out_16 = f.v + 1 == 0;            /* a 40-bit field keeps its width: gcc */
  out_17 = (f.i = 1);
  out_18 = ++f.b; out_19 = f.b--; out_20 = f.b;
  out_21 = (f.e += 3); out_22 = f.u++; out_23 = f.u;
  out_24 = f.w >> 3; f.w <<= 20; out_25 = f.w;
  out_26 = sizeof(struct flags);
  _Bool many[3] = { 3, 256, 0 };
  out_27 = many[0] + many[1] + many[2];
  b = 256; out_28 = b; b = (unsigned char)256; out_29 = b; b ^= 1; out_30 = b; b = -b; out_31 = b;
  finish();
}
