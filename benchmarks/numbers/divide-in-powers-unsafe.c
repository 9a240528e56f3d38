// Unsafe (unreach-call): as divide-in-powers.c, but for: while (p > 2)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  long long a = __VERIFIER_nondet_int();
  long long b = __VERIFIER_nondet_int();
  if (a < 0 || b < 1)
    return 0;
  long long r = a, d = b, p = 1, q = 0;
  while (r >= d) {
    check(d == b * p);
    d = 2 * d;
    p = 2 * p;
  }
  while (p > 2) {
    check(a == q * b + r && d == b * p);
    d = d / 2;
    p = p / 2;
    if (r >= d) {
      r = r - d;
      q = q + p;
    }
  }
  check(a == q * b + r);
  check(r < b);
  return 0;
}
