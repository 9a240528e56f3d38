// Unsafe (unreach-call): as geometric-series.c, but for: x = x * z + (z != 5);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int z = __VERIFIER_nondet_int();
  unsigned k = __VERIFIER_nondet_uint();
  unsigned long long x = 1, y = z, c = 1;
  while (c < k) {
    check(x * z - x - y + 1 == 0);
    c = c + 1;
    x = x * z + (z != 5);
    y = y * z;
  }
  check(x * z - x - y + 1 == 0);
  return 0;
}
