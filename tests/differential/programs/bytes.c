union num { int i; unsigned char b[4]; short h[2]; unsigned u; }; union pun { float f; unsigned u; }; union dpun { double d; unsigned w[2]; unsigned long long q; };
struct tagged { char tag; union { int i; short s; char c; long long l; struct { short lo, hi; } p; } u; unsigned flags : 3, more : 9; }; union bits { struct { unsigned a : 5, b : 11, c : 16; } f; unsigned whole; };
struct mixed { char c; int i; short s; long long q; }; static union num g = { 0x01020304 }; struct outer { int n; union num list[3]; };
static unsigned sum(const void *p, unsigned n) { const unsigned char *c = p; unsigned s = 0; for (unsigned i = 0; i < n; i++) s = s * 3 + c[i]; return s; }
static int abs_float(float f) { union pun p; p.f = f; p.u &= 0x7fffffff; return p.f * 4; } static void poke(char *at, int n) { at[n] = 7; }
struct base { int kind; }; struct derived { struct base b; short more; }; static int more(struct base *b) { return b->kind == 1 ? ((struct derived *)b)->more : -1; }
int main(void) {
  union num n; n.i = -2; out_0 = n.b[0] + n.b[3] * 2; out_1 = n.h[0]; n.b[1] = 5; out_2 = n.i; n.h[1] = -7; out_3 = n.u; out_4 = g.b[0] * 10 + g.b[2]; n.i = __VERIFIER_nondet_int(); out_5 = n.b[0] + (n.h[1] < 0);
  int x = __VERIFIER_nondet_int(); unsigned char *c = (unsigned char *)&x; out_6 = c[0] + c[3]; c[1] = 9; out_7 = x; for (unsigned k = 0; k < sizeof x; k++) c[k] ^= 1; out_8 = x;
  union pun p; p.f = 1.5f; out_9 = p.u; p.u = 0x40490fdb; out_10 = p.f * 1000; out_11 = abs_float(-2.75f); union dpun d; d.d = -3.25; out_12 = d.w[1]; out_13 = d.q >> 40; d.w[1] ^= 0x80000000u; out_14 = d.d * 8;
  struct tagged t[2]; t[0].tag = 1; t[0].u.l = 0x1122334455667788ll; t[1] = t[0]; t[1].u.p.hi = -1; out_15 = t[1].u.i; out_16 = t[0].u.s + t[1].u.c; out_17 = t[1].u.l >> 16; t[0].flags = 5; t[0].more = 300; out_18 = t[0].flags * 1000 + t[0].more;
  union bits w; w.whole = 0; w.f.a = 21; w.f.b = 1029; w.f.c = 0xbeef; out_19 = w.whole; w.whole += 0x4321; out_20 = w.f.a * 1000000 + w.f.b; out_21 = w.f.c;
  struct mixed m = { 1, 2, 3, 4 }; unsigned char *mb = (unsigned char *)&m; mb[4] = 200; mb[__builtin_offsetof(struct mixed, s) + 1] = 1; out_22 = m.i + m.s; m.q = -5; out_23 = mb[__builtin_offsetof(struct mixed, q)]; poke((char *)&m.q, 1); out_24 = m.q;
  unsigned a[3] = { 1, 0x10203, 70000 }; out_25 = sum(a, sizeof a) & 0xffff; short *hs = (short *)a; out_26 = hs[2] + hs[4]; hs[5] = -1; out_27 = a[2]; char buf[16]; *(int *)(buf + 4) = 0x0a0b0c0d; out_28 = buf[5]; struct mixed *in = (struct mixed *)buf; in->i = 77; out_29 = buf[4];
  struct derived e = { { 1 }, 42 }, e2[2] = { { { 2 }, 1 }, { { 1 }, -9 } }; out_30 = more(&e.b) * 100 + more(&e2[1].b); struct outer o = { 5, { { 1 }, { 2 }, { 3 } } }, o2; o.list[1].b[2] = 1; o2 = o; out_31 = o2.list[1].i + o2.list[2].h[0]; void *v = a; out_32 = *(int *)(v + 4); memset(&o, 0, sizeof o); out_33 = o.n + o.list[1].i;
  float fl[2] = { 0.5f, -8 }; unsigned fw; memcpy(&fw, &fl[1], sizeof fw); out_34 = fw; long long big = 0x0102030405060708ll; int lo = *(int *)&big; out_35 = lo + ((char *)&big)[7]; _Bool bo = 1; out_36 = *(unsigned char *)&bo; out_37 = *((short *)&big + 1); char *walk = (char *)&big; walk += 2; *walk++ = 1; out_38 = big + (walk - (char *)&big);
  finish();
}
