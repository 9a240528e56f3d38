// Unsafe (unreach-call): as cubes-by-differences.c, but for: z = z + 6 + (n == 12);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int a = __VERIFIER_nondet_int();
  long long n = 0, x = 0, y = 1, z = 6;
  while (n <= a) {
    check(x == n * n * n && y == 3 * n * n + 3 * n + 1 && z == 6 * n + 6);
    n = n + 1;
    x = x + y;
    y = y + z;
    z = z + 6 + (n == 12);
  }
  check(z * z - 12 * y - 6 * z + 12 == 0);
  check(x == n * n * n);
  return 0;
}
