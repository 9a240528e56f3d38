extern void show(long value);
extern void *malloc(unsigned long); extern void *calloc(unsigned long, unsigned long);
unsigned long strlen(const char *); char *strcpy(char *, const char *); int strcmp(const char *, const char *); void *memcpy(void *, const void *, unsigned long); void *memset(void *, int, unsigned long);
int depth;
struct P { int x; short y : 3; unsigned z : 5; struct { int q; int r[3]; }; union { int i; char c[4]; } u; };
struct P gp = { 1, .z = 3, .r[1] = 7, 8, .u.c = {1, 2} };
struct P garr[] = { [2] = { .x = 5 }, [0] = { 1, 2, 3, 4, { 5, 6, 7 }, { 8 } }, { 9 } };
int m[][3] = { 1, 2, 3, { 4 }, 5, 6, 7, 8 };
const char *names[] = { "zero", "one", [4] = "four" };
char text[8] = "hello", exact[3] = "abc";
enum E { A, B = 5, C, D = -1 } e = C; enum F { BIG = 0x80000000 };
int inc(int a) { return a + 1; } int dec(int a) { return a - 1; }
int (*table[2])(int) = { inc, dec };
typedef int (*op)(int); op pick(int c) { return c ? inc : dec; }
struct P make(int a) { struct P p = { a }; p.r[2] = a * 2; return p; }
int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
int duff(int count) { int n = (count + 3) / 4, s = 0; switch (count % 4) { case 0: do { s += 1; case 3: s += 10; case 2: s += 100; case 1: s += 1000; } while (--n > 0); } return s; }
int old(a, b) int a; char b; { return a - b; }
static int counter(void) { static int c = 5; return c++; }
int side(int v) { depth = depth * 10 + v; return v; }
int find(int *a, int n, int k) { for (int i = 0; i < n; i++) { if (a[i] == k) return i; else if (a[i] < 0) continue; else if (a[i] > 100) break; } return -1; }
int gotos(int n) { int i = 0, s = 0; again: if (i < n) { s += i; i++; if (s > 20) goto out; goto again; } s = -s; out: return s; }
int rows(int n, int m, int a[n][m], int b[][3]) { a[1][m - 1] = 77; int *p = a[0]; return a[0][1] + b[1][2] + p[0] + sizeof a[0] + sizeof a; }
int main(void) { { int k = 3, a[2][k], b[2][3] = { 1, 2, 3, 4, 5, 6 }; a[0][1] = 4; a[0][0] = 9; show(rows(2, k, a, b)); show(a[1][2]); show(rows(2, 3, b, b)); show(b[1][2]); }
  show(gp.x); show(gp.y); show(gp.z); show(gp.q); show(gp.r[0]); show(gp.r[1]); show(gp.r[2]); show(gp.u.c[1]); show(sizeof gp);
  for (int i = 0; i < 3; i++) { show(garr[i].x); show(garr[i].y); show(garr[i].q); show(garr[i].r[2]); show(garr[i].u.i); }
  show(sizeof garr / sizeof *garr); show(sizeof m / sizeof m[0]);
  for (int i = 0; i < 4; i++) for (int j = 0; j < 3; j++) show(m[i][j]);
  show(strlen(names[4])); show(names[1][2]); show(names[2] == 0); show(sizeof text); show(exact[2]); show(text[6]);
  show(e); show(D < 0); enum F f = BIG; show(f > 0); show(sizeof(enum F)); show(A - 1 < 0);
  show(table[0](3)); show((*table[1])(3)); show(pick(1)(10)); show((**pick(0))(10)); show(make(4).r[2] + make(5).x);
  struct P p = make(3), *pp = &p; pp->y = 5; show(pp->y); pp->z = 77; show(p.z); show(pp->z++); show(++p.z); p = gp; show(p.r[2]); pp->r[pp->x]++; show(p.r[1]);
  show(fact(10)); show(fact(20)); show(duff(1)); show(duff(7)); show(duff(8)); show(old(300, 300)); show(counter() + counter() * 100); show(counter());
  int x = 5, y = 7; unsigned u = 3; unsigned char c = 250; signed char sc = -3; short s = 32767; long long ll = -1; _Bool b = 2; char ch = 200;
  show(x / -2); show(-x / 2); show(-x % 3); show(x % -3); show(-7 >> 1); show((unsigned)-7 >> 28); show(1 << 31); show(x - u > 0); show((x - 6 < u)); show(-1 < 1u); show(c + 10); c += 10; show(c); show(s + 1); s++; show(s); show(b); b -= 1; show(b); b--; show(b); show(ch); show(ll > u); show(ll == 0xffffffffu); show(~c); show(-sc); show(!x); show(!!x); show(sizeof(c + c)); show((char)300); show(2147483647 + x); show(-2147483647 - 1 - x); show(x ^ y | u & 3); show('\xff'); show('ab'); show(0x7fffffff + 0u); show(sizeof(0xffffffff)); show(-2147483648 < 0); show(077 + 0b11);
  show((x = y, x + 1)); show(x++ + ++y); show(x += y *= 2); show((x > 3 ? y : 2.5) > 3); show(x && y || 0); show(side(1) && side(0) || side(3)); show(depth); show(side(0) ? side(4) : side(5)); show(depth);
  int a[5] = { 3, -1, 4 }, *q = a + 1, i = 2; show(*q); show(q[1]); show(*(q - 1)); show(&a[4] - q); show(q < a + 3); show(*q++); show(*q); show((*q)++); show(a[2]); i++; show(i); show(2[a]); show(find(a, 5, 4)); show(find(a, 5, 77)); *(&x) = 9; show(x); int **qq = &q; **qq = 42; show(a[2]); show(sizeof a); show(sizeof(int[3])); show(*&a[3] == a[3]);
  show(gotos(3)); show(gotos(30)); for (;;) { if (x-- < 5) break; } show(x); do x += 2; while (x < 11); show(x); while (x --> 3) if (x % 2) continue; else show(x);
  switch (x + 1) { case 1: show(1); break; case 3 - 0: show(3); case 4: show(4); default: show(99); } switch (c) { default: show(7); case 4: show(8); break; case 5: show(9); } switch ((char)0x141) { case 'A': show(65); }
  int n = 4, v[n], w[n][n + 1]; for (int k = 0; k < n; k++) { v[k] = k * k; for (int l = 0; l <= n; l++) w[k][l] = k * 10 + l; } show(v[3]); show(w[2][4]); show(sizeof v); show(sizeof w); show(sizeof w[0]); n = 9; show(sizeof v); show(w[3][1]);
  char buf[10]; strcpy(buf, "xyz"); show(strlen(buf)); show(strcmp(buf, "xya") > 0); memset(buf, 'q', 3); show(buf[2]); memcpy(buf + 1, "12", 2); show(buf[1]);
  int *hp = malloc(3 * sizeof *hp); hp[0] = 1; hp[2] = 5; show(hp[0] + hp[2]); int *cp = calloc(2, 4); show(cp[1]);
  show(({ int t = x; t * 2; })); show(((struct P){ .x = 8 }).x); show((int[]){ 1, 2, 3 }[1]); const char *fn = __func__; show(fn[0]); show(_Generic(x, long: 1, int: 2, default: 3)); __typeof__(x) tx = 3; show(tx);
  { int x = 1; { int x = 2; show(x); } show(x); } struct P arr2[2] = { gp, { 2 } }; show(arr2[0].r[1]); show(arr2[1].x); arr2[1] = arr2[0]; show(arr2[1].z); struct { int a : 4, : 3; unsigned b : 9; } bf = { -3, 400 }; show(bf.a); show(bf.b); show(bf.a < 0); show(bf.b - 401 < 0);
  unsigned long long ull = 1ULL << 40; show(ull >> 35); show((int)ull); __int128 w128 = (__int128)ull * ull; show((long)(w128 >> 75)); long lg = 2147483648; show(lg >> 31); float fl = 1.5f; double db = fl * 3; show(db * 2); show((int)-2.7); show(fl == 1.5); show(0.1f == 0.1); show(1e10f > 1e9); show((unsigned char)db); fl += 1; show(fl * 4); show(5 / 2.0 * 2); db++; show(db);
  return 0;
}
