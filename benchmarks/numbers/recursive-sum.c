// Safe: The sum 1 to n, compared with its closed form, which wraps around for large n.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

static unsigned sum(unsigned n, unsigned done) {
  if (n == 0)
    return done;
  return sum(n - 1, done + n);
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  check(2 * sum(n, 0) == n * (n + 1));
  return 0;
}
