// Safe: Russian multiplication, with the product modulo 2^32.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  unsigned a = __VERIFIER_nondet_uint();
  unsigned b = __VERIFIER_nondet_uint();
  unsigned x = a, y = b, z = 0;
  while (y != 0) {
    check(z + x * y == a * b);
    if (y % 2 == 1) {
      z = z + x;
      y = y - 1;
    }
    x = 2 * x;
    y = y / 2;
  }
  check(z == a * b);
  return 0;
}
