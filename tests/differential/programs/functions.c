typedef int (*binary)(int, int); typedef struct { int a; long long b[2]; } pair; enum { LIMIT = 3 };
static int add(int a, int b) { return a + b; } static int sub(int a, int b) { return a - b; }
static binary pick(int n) { return n ? add : sub; } static int apply(binary f, int x) { return f(x, 2) + (*f)(x, 3) + (**f)(1, 1); }
static void split(int n, int *high, int *low) { if (n > 9) { split(n / 10, high, low); *high += *low; *low = n % 10; } else { *high = 0; *low = n; } }
static long fact(unsigned n) { return n < 2 ? 1 : n * fact(n - 1); } static int even(int); static int odd(int n) { return n ? even(n - 1) : 0; }
static int even(int n) { return n ? odd(n - 1) : 1; } static pair make(int a) { pair p = { a, { a * 2, a * 3 } }; a = 0; return p; }
static pair change(pair p) { p.a++; p.b[1] = -1; return p; } static int old(a, b) int a; char b; { return a * b; } static char narrow(int n) { return n; }
static _Bool truth(int n) { return n; } static unsigned char byte(long n) { return n; } static short same(short n) { return n; }
static int sum(int a[3], int n) { int s = 0; while (n--) s += *a++; return s; } static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static int *larger(int *a, int *b) { return *a > *b ? a : b; } static int ack(int m, int n) { return !m ? n + 1 : !n ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static void hanoi(int n, int *moves) { if (!n) return; hanoi(n - 1, moves); ++*moves; hanoi(n - 1, moves); }
static int depth(int n) { int here = n, *p = &here; if (n > 0) { int below = depth(n - 1); *p += below; } return here; }
struct ops { binary f; int k; }; static int run(const struct ops *o, int n) { return o->f(n, o->k); }
static int later(); static int vla(int n, int m, int a[n][m]) { return a[1][m - 1] + sizeof a[0] / sizeof a[0][0]; }
int main(void) {
  out_0 = apply(add, 5) * 100 + apply(pick(0), 7); int h, l; split(123, &h, &l); out_1 = h * 10 + l; out_2 = fact(10); out_3 = even(7) + odd(7) * 2;
  pair p = make(4), q = change(p); out_4 = p.a + p.b[1] * 10 + q.a * 100 + q.b[1] * 1000 + q.b[0] * 10000; out_5 = make(2).b[0] + change(make(3)).a;
  out_6 = old(3, 300); out_7 = narrow(200); out_8 = truth(256) + truth(0); out_9 = byte(-1); out_10 = same(70000); int a[3] = { 1, 2, 3 }; out_11 = sum(a, LIMIT) + sum(a + 1, 2);
  swap(&a[0], &a[2]); out_12 = a[0] * 10 + a[2]; *larger(a, a + 1) = 50; out_13 = a[0] + a[1]; out_14 = ack(1, 3); int moves = 0; hanoi(4, &moves); out_15 = moves; out_16 = depth(4);
  struct ops table[2] = { { add, 10 }, { .k = 4, .f = sub } }, *o = table; out_17 = run(o, 1) + run(++o, 1) * 100; binary list[] = { add, sub, 0 }; int n = 0; for (binary *f = list; *f; f++) n = n * 10 + (*f)(n, 3); out_18 = n;
  out_19 = later(4); out_20 = (pick(1) == add) + (pick(0) != add) * 2 + (!pick(1)) * 4 + (list[2] == 0) * 8; int m[2][3] = { { 1 }, { 4, 5, 6 } }; out_21 = vla(2, 3, m);
  int i = 3; { int i = 4; { extern int outer; out_22 = i + outer; } i++; } out_23 = i; for (int i = 0; i < 2; i++) out_24 += i; out_25 = i; int (*rows)[3] = m; out_26 = (*++rows)[1] + sizeof *rows; void (*nothing)(int *, int *) = &swap; nothing(&a[1], &a[2]); out_27 = a[2];
  out_28 = (out_0 ? add : sub)(2, 1); const char *name = __func__; out_29 = name[0] + sizeof __func__; struct { int x; } anon = { 3 }, *pa = &anon; pa->x += 2; out_30 = anon.x; out_31 = sizeof(pair) + sizeof p.b;
  finish();
}
int outer = 30; static int later(int n) { return n << 2; }
