// Unsafe (unreach-call): as divide-by-shifts.c, but for: if (r > multiple)
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  unsigned a = __VERIFIER_nondet_uint();
  unsigned b = __VERIFIER_nondet_uint();
  if (b < 1 || a > 0x7fffffffu)
    return 0;
  unsigned q = 0, r = a, multiple = b;
  while (r >= multiple)
    multiple = 2 * multiple;
  while (multiple != b) {
    check(a == q * multiple + r);
    q = 2 * q;
    multiple = multiple / 2;
    if (r > multiple) {
      q = q + 1;
      r = r - multiple;
    }
  }
  check(a == q * b + r);
  check(r < b);
  return 0;
}
