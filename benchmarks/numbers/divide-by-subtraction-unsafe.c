// Unsafe (unreach-call): as divide-by-subtraction.c, but for: while (r > b)
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  unsigned a = __VERIFIER_nondet_uint();
  unsigned b = __VERIFIER_nondet_uint();
  if (b == 0)
    return 0;
  unsigned q = 0, r = a;
  while (r > b) {
    check(a == q * b + r);
    r -= b;
    q++;
  }
  check(a == q * b + r);
  check(r < b);
  return 0;
}
