// Unsafe (unreach-call): as recursive-sum.c, but for: return sum(n - 1, done + n + (n == 8));
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

static unsigned sum(unsigned n, unsigned done) {
  if (n == 0)
    return done;
  return sum(n - 1, done + n + (n == 8));
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  check(2 * sum(n, 0) == n * (n + 1));
  return 0;
}
