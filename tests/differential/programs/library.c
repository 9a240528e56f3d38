double sqrt(double); float sqrtf(float); double rint(double), copysign(double, double); long lround(double); int ffs(int);
void qsort(void *, __SIZE_TYPE__, __SIZE_TYPE__, int (*)(const void *, const void *));
void *bsearch(const void *, const void *, __SIZE_TYPE__, __SIZE_TYPE__, int (*)(const void *, const void *));
int strcasecmp(const char *, const char *); void *mempcpy(void *, const void *, __SIZE_TYPE__); char *stpcpy(char *, const char *);
struct item { short key; int value; };
static int by_value(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return x < y ? -1 : x > y; }
static int by_key(const void *a, const void *b) { return ((const struct item *)a)->key - ((const struct item *)b)->key; }
int main(void) {
  double two = 2; float three = 3; volatile double x = sqrt(two);
  out_0 = x * 1e15; out_1 = sqrtf(three) == 1.7320508f; out_2 = sqrt(144.0) + sqrt(-0.0); out_3 = sqrt(-1.0) != sqrt(-1.0); out_4 = x * x == 2;
  out_5 = rint(2.5) * 100 + rint(-3.5) * 10 + rint(0.3); out_6 = lround(-2.5) * 10 + lround(2.4); out_7 = copysign(3, -0.0) + copysign(-1, 2); out_8 = 1 / copysign(0, -1) < 0;
  int a[5] = { 3, -1, 9, 3, 0 }; qsort(a, 5, sizeof(int), by_value); for (int i = 0; i < 5; i++) out_9 = out_9 * 11 + a[i] + 1;
  int key = 9, *found = bsearch(&key, a, 5, sizeof *a, by_value); out_10 = found - a; key = 4; out_11 = bsearch(&key, a, 5, sizeof *a, by_value) == 0;
  struct item items[3] = { { 5, 50 }, { 2, 20 }, { 4, 40 } }; qsort(items, 3, sizeof items[0], by_key); out_12 = items[0].value * 10000 + items[1].value * 100 + items[2].value;
  int r; unsigned u; signed char c; out_13 = __builtin_add_overflow(2147483647, 1, &r) * 2 + (r < 0); out_14 = __builtin_sub_overflow(3u, 4u, &u) + (u == -1u); out_15 = __builtin_mul_overflow(100000, 100000L, &c) + c * 2;
  long long w; out_16 = __builtin_mul_overflow(~0ull, ~0ull, &w); out_17 = w; out_18 = __builtin_smul_overflow(-3, 5, &r); out_19 = r; out_20 = __builtin_add_overflow(-1, 1u, &u) + u;
  char s[12] = "ab", t[12]; char *end = stpcpy(t, s); end = mempcpy(end, "XY", 3); out_21 = (end - t) * 10 + t[3]; out_22 = strcasecmp(t, "ABxy") + (strcasecmp("a", "B") < 0) * 2; out_23 = ffs(40) + ffs(0);
  finish();
}
