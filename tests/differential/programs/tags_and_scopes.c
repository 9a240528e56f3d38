/* Tags of blocks, loops and parameters (C11 6.7.2.3); old definitions of functions; names that hide others. */
struct S { int a; }; union U { char c; }; enum E { EA = 1 }; int x = 1; int tentative; int tentative = 4; typedef int T;
static int declared_again(void) { struct S *outer = 0; { struct S; struct S *p = 0; struct S { char c[3]; }; return sizeof *p * 10 + sizeof *outer; } }
static int declared_twice(void) { struct S { char c[9]; } s; { struct S; struct S *q; struct S { char d[2]; } z; q = &z; return sizeof *q * 100 + sizeof s; } }
static int union_again(void) { union U; union U *p = 0; union U { long long w; }; return sizeof *p; } static int not_again(void) { struct S *p; struct S s; return sizeof *p + sizeof s; }
static int never_completed(void) { struct Z; struct Z *p = 0; return p == 0; } static int in_a_parameter(int n, struct Q { char c[6]; } *q) { struct Q z = { "abc" }; return sizeof(struct Q) * n + z.c[1]; }
static int in_an_old_one(q) struct R { char c[7]; } *q; { return sizeof(struct R); } static int of_itself(void) { struct L { struct L *n; char c[3]; } l; { struct L { struct L *n; char c[30]; } l; return sizeof *l.n > 30; } }
static int of_an_inner_one(void) { struct G { struct H { char c[4]; } h; }; return sizeof(struct H) + sizeof(struct { struct K { char c[8]; } k; }) * 10 + sizeof(struct K) * 100; }
static int after_a_typedef(void) { typedef struct S S; S s = { 4 }; struct S { char c[5]; }; return sizeof(S) * 10 + sizeof(struct S) + s.a; } static int constants(void) { enum E { EA = 50 }; { enum { EA = 60 }; } return EA; }
static int in_a_condition(void) { if (sizeof(struct I { char c[11]; }) == 11) return sizeof(struct I); return 0; } static int old(a, b, c) char a; float b; short c; { return a + b * 2 + c; } static int unsigned_old(a) unsigned char a; { return a; }
static int hidden(int x) { { extern int x; return x; } } static int parameter(int T) { return T * 2; } static int type(void) { typedef char T; return sizeof(T); } static int label(void) { int label = 3; goto label; label: return label; }
static int shadow(void) { int x = 2; { int y = x; int x = y + 5; return x; } } static int loop(void) { int i = 9; for (int i = 0; i < 3; i++) { int i = 7; i++; } return i; }
int main(void) {
  out_0 = declared_again(); out_1 = declared_twice(); out_2 = union_again(); out_3 = not_again(); out_4 = never_completed(); out_5 = in_a_parameter(2, 0); out_6 = in_an_old_one(0); out_7 = of_itself(); out_8 = of_an_inner_one();
  out_9 = after_a_typedef(); out_10 = constants() * 10 + EA; out_11 = in_a_condition(); out_12 = old(300, 1.5f, 70000); out_13 = unsigned_old(300) * 1000 + unsigned_old(-1); out_14 = hidden(5) * 10 + tentative; out_15 = parameter(3) * 10 + type();
  out_16 = label() * 100 + shadow() * 10 + loop(); finish();
}
