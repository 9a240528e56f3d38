// Unsafe (unreach-call): as bezout.c, but for: t = r - s;
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  if (x < 1 || y < 1)
    return 0;
  long long a = x, b = y, p = 1, q = 0, r = 0, s = 1;
  while (b != 0) {
    check(p * x + r * y == a && q * x + s * y == b);
    long long k = a / b, t;
    t = a - k * b;
    a = b;
    b = t;
    t = p - k * q;
    p = q;
    q = t;
    t = r - s;
    r = s;
    s = t;
  }
  check(p * x + r * y == a);
  return 0;
}
