extern void show(long value);
struct bf { int a : 5; unsigned b : 7; long c : 40; _Bool d : 1; unsigned char e : 3; };
typedef struct { char c; short s; int i; long l; double d; } mix;
static int g(int a, int b) { return a * 10 + b; }
static int order; static int o(int v) { order = order * 10 + v; return v; }
union u { int i; unsigned u; }; 
int main(void) {
  struct bf f = {0};
  f.a = 17; f.b = 200; f.c = 1L << 39; f.d = 4; f.e = 15;
  show(f.a); show(f.b); show(f.c); show(f.d); show(f.e); show(sizeof f);
  f.a += 20; f.b--; show(f.a); show(f.b); show(f.a = 33); show(f.e++); show(++f.e); show(f.b -= 300);
  show((f.b << 28) + 1 > 0); show(-f.e < 0); show(f.c - 1 < 0);
  mix m = {1, 2, 3, 4, 5.5}, n = m; n.s += m.d; show(n.s); show(m.s); show(sizeof(mix));
  show(g(o(1), o(2))); show(order); order = 0; show(o(1) + o(2) * o(3)); show(order);

  int i = 0, a[4] = {0}; a[i++] = i; a[i++] += 5; show(a[0]); show(a[1]); show(i);
  unsigned char uc = 255; signed char sc = -1; uc++; show(uc); sc = sc >> 1; show(sc); show((unsigned char)sc >> 1); show(~uc); show(-uc);
  show((char)0x80); show((short)0x18000); show((int)3000000000u); show((unsigned)-1 > 0L); show(-1L < 1u); show(-1 < 1u);
  show((-7) / 2); show((-7) % 2); show(7 / -2); show(7u / -2 > 0); show(-7 >> 1); show(-7 & 3); show(1 ? -1 : 1u);
  show(sizeof(1 ? 1 : 1L)); show('a' + sizeof 'a'); show("abc"[1]); show(2["xyz"]);
  __int128 w = (__int128)1 << 100; show(w >> 90); show((long)(w / 3 % 1000)); unsigned __int128 v = -1; show(v >> 127); show(v > 0);
  float fl = 0.1f; double d = 0.1; show(fl == d); show((float)d == fl); show((int)(fl * 10)); show((long)-2.7); show(16777217.0f == 16777216);
  show(0.1 + 0.2 == 0.3); show(1.0f / 3 == 1.0 / 3); show((double)9007199254740993L == 9007199254740992.0); show((float)0xffffff7fffffffffUL == 18446742974197923840.0);
  show((_Bool)0.1); show(!0.0); show(-0.0 == 0.0); show(1 / -0.0 < 0);
  enum { P = 3, Q, R = -1 } e = Q; show(e); show(R < 0u); show(sizeof e);
  union u z; z.i = -5; show(z.u); z.u >>= 1; show(z.i);
  int k = 0; for (;;) { if (++k > 5) break; switch (k) { case 2: continue; case 4: k++; } } show(k);
  int q = 3; do { if (q == 2) continue; q += 0; } while (--q); show(q);
  int arr[2][3] = {{1, 2, 3}, {4, 5, 6}}; int (*row)[3] = arr + 1; show((*row)[2]); show(row[-1][1]); show(*(*(arr + 1) + 1)); show(&arr[1][2] - &arr[0][0]);
  int len = 3; int vla[len][len + 1]; vla[2][3] = 9; vla[1][0] = 4; show(vla[2][3] + vla[1][0]); show(sizeof vla); show(sizeof vla[0]);
  short sh = -1; unsigned short us = sh; show(us); show(sh == us); show((sh ^ us) < 0); sh = 32767; sh++; show(sh); us <<= 1; show(us);
  unsigned un = 1; un = un - 2; show(un); show(un >> 31); show(un * un); show(-un); long lo = un; show(lo); show((int)un % 3); show(un / 2 * 2 + un % 2 == un);
  goto in; for (k = 0; k < 3; k++) { show(100); in: show(k); }
  return 0;
}
