// Unsafe (unreach-call): as gcd-and-lcm.c, but for: u = u + v + (x == 3);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  unsigned a = __VERIFIER_nondet_uint();
  unsigned b = __VERIFIER_nondet_uint();
  if (a < 1 || b < 1 || a > 65535 || b > 65535)
    return 0;
  unsigned x = a, y = b, u = b, v = 0;
  while (x != y) {
    check(x * u + y * v == a * b);
    if (x > y) {
      x = x - y;
      v = v + u;
    } else {
      y = y - x;
      u = u + v + (x == 3);
    }
  }
  check(x * (u + v) == a * b);
  return 0;
}
