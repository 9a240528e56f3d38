struct flexible { int n; short data[]; }; struct outer { struct { int a; union { int b; unsigned c; }; }; struct { char d; } e[2]; };
typedef int grid[2][3]; typedef struct list list; struct list { list *next; int v; }; enum color { RED, GREEN = 3, BLUE };
#define KIND(x) _Generic((x), int: 1, unsigned: 2, long: 3, char: 4, double: 5, float: 6, int *: 7, char *: 8, _Bool: 9, unsigned long: 10, default: 99)
extern int table[]; static int shadow = 1; int table[3] = { 7, 8, 9 };
static int calls; static struct outer make(int a) { struct outer o = { { a, { a + 1 } }, { { 'x' }, { 'y' } } }; calls++; return o; }
static unsigned char cut(int n) { return n; } static int swallow(signed char c) { switch (c) { case -1: return 1; case 127: return 2; default: return c < 0 ? 3 : 4; } }
static int wide(unsigned long long n) { switch (n) { case 0x100000000ull: return 1; case 0: return 2; case -1ull: return 3; } return 4; }
static int nested(int n) { int r = 0; for (int i = 0; i < n; i++) { for (int j = 0;; j++) { if (j > i) break; switch (j % 3) { case 0: continue; case 1: r += 10; break; default: r += 100; } if (r > 500) goto done; } r++; } done: return r; }
static int recursive(int n) { static int deepest; int here[2] = { n, 0 }; if (n > deepest) deepest = n; if (n < 3) here[1] = recursive(n + 1); return here[0] * 10 + here[1] + deepest; }
static void fill(int n, int to[n], int value) { while (n-- > 0) to[n] = value++; } static int count(const char *s, char c) { int n = 0; for (; *s; s++) n += *s == c; return n; }
int main(void) {
  out_0 = KIND(1) + 100 * KIND(1u) + 10000 * KIND('a') + 1000000ll * KIND(1.0f) + 100000000ll * KIND(sizeof 1); char ch = 1; short sh = 2; _Bool bo = 1; float fl = 1; int *ip = 0;
  out_1 = KIND(ch) * 10000 + KIND(ch + ch) * 1000 + KIND(-sh) * 100 + KIND(bo) * 10 + KIND(!fl); out_2 = KIND(fl + 1) * 100 + KIND(1 ? ip : 0) * 10 + KIND("a" + 0);
  struct outer o = make(5); out_3 = o.a + o.c * 10 + o.e[1].d * 100; out_4 = make(8).e[0].d + make(2).b + calls; o.c = -1; out_5 = o.b; grid g = { { 1 }, { 2, 3 } }; out_6 = g[1][1] + sizeof(grid) + sizeof g[0];
  struct flexible *f = malloc(sizeof *f + 3 * sizeof(short)); f->n = 3; for (int i = 0; i < f->n; i++) f->data[i] = i * 1000; f->data[2] += 32767; out_7 = f->data[2] + f->data[1] + sizeof *f; int shadow_ = shadow; { int shadow = shadow_ + 1; { extern int shadow_out; int shadow = 9; out_8 = shadow + shadow_out; } out_9 = shadow; }
  out_10 = table[2]; out_11 = cut(511) + cut(-1); out_12 = swallow(255) * 1000 + swallow(127) * 100 + swallow(128) * 10 + swallow(1); out_13 = wide(1ull << 32) * 1000 + wide(0) * 100 + wide(-1) * 10 + wide(5); out_14 = nested(9); out_15 = recursive(0); int filled[4]; fill(4, filled, 3); out_16 = filled[0] * 10 + filled[3]; out_17 = count("banana", 'a');
  enum color c = BLUE; switch (c) { case RED: out_18 = 1; break; case GREEN: out_18 = 2; break; case BLUE: out_18 = 3; } typeof(c + 1u) t = -1; out_19 = t; typeof(int[3]) ta = { 1, 2 }; out_20 = ta[2] + sizeof ta; unsigned u = 3; int i = -4; out_21 = u + i > 0; out_22 = (long long)u * i; out_23 = i / (int)u * 10 + i % (int)u; out_24 = i / u; out_25 = -i % 3u;
  out_26 = (unsigned char)i >> 1; out_27 = (i & 0xff) >> 1; out_28 = i >> 1 ^ u << 2 | 1; out_29 = 1 ? i : u; out_30 = (char)(ch << 7); out_31 = u - 4 < 0 || i - 1u > 0; out_32 = sh-- - --sh; out_33 = -2147483647 - 1 == -2147483648; out_34 = !!i + !u + ~-1; out_35 = i = u = 70000 * 70000;
  list a = { 0, 1 }, b = { &a, 2 }; list *both[] = { &b, &a }, **each = both; for (list *p = *each; p; p = p->next) out_36 = out_36 * 10 + p->v; out_37 = both[0]->next == both[1]; const struct outer *view = &o; out_38 = view->e[1].d; out_39 = (&o.e[1] - o.e);
  for (int k = 0; k < 3; k++) { int *fresh = (int[]){ k, 2 * k }; out_40 += fresh[1]; int inner = k; out_41 = inner++; } int n = 3; do { if (n == 2) continue; out_42 += n; } while (--n); n = 5; while (n --> 2) if (n & 1) continue; else break; out_43 = n; long l = 0x7fffffff; l++; out_44 = l; out_45 = (int)l; l = l << 1; out_46 = l; out_47 = 010 + 0b101 + 'A' + '\101' + '\x41';
  finish();
}
int shadow_out = 40;
