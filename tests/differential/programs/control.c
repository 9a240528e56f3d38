/* Where control goes next: the ends of ranges, continue in all loops, and calls beside what they change. */
static int ends(int v) { switch (v) { case -3 ... -1: return 1; case 0: return 2; case 4 ... 9: return 3; default: return 4; case 10 ... 10: return 5; } }
static int add(int *p) { return *p += 3; }
static int mix(int a, int b, int c) { return a * 100 + b * 10 + c; }
static long wide(long a, short b, unsigned char c, _Bool d) { return a * 7 + b * 5 + c * 3 + d; }
int main(void) {
  int n = 0, s = 0;
  for (int i = -5; i < 13; i++) out_0 = out_0 * 3 + ends(i);
  n = 6; do { if (n & 1) continue; s = s * 10 + n; } while (--n > 0); out_1 = s;
  n = 6; s = 0; while (n-- > 0) { if (n == 3) continue; if (n == 1) break; s = s * 10 + n; } out_2 = s;
  s = 0; for (int i = 0; i < 6; i++) { switch (i) { case 2: continue; case 4: break; default: s = s * 10 + i; } s += 1; } out_3 = s;
  int v[2] = { 1, 2 }; out_4 = mix(v[0], add(v), v[0]); out_5 = mix(add(v), v[0], add(v + 1)) + v[1]; out_6 = (v[0] - 2) * 7 - add(v);
  out_7 = wide(-1LL, 70000, 259, 0.5); out_8 = wide(1u - 2u, -1, -1, 256); long (*f)(long, short, unsigned char, _Bool) = wide; out_9 = f(3.9, 65535, 300, 'x');
  struct { int a; long b; char c[3]; } r = { 1 }, t[2] = { [1].c[1] = 4 }; out_10 = r.b + r.c[2] + t[0].a + t[1].b + t[1].c[1] * 10 + t[1].c[2]; int z[9] = { 5 }; for (int i = 0; i < 9; i++) out_11 = out_11 * 2 + z[i];
  n = 0; goto in; do { n += 10; in: n++; if (n > 30) goto out; } while (n < 50); out: out_12 = n;
  finish();
}
