// As factorial.c, but the sum in place of the product.
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

static void check(int condition) {
  if (!condition)
    reach_error();
}
static unsigned fact(unsigned n) { return n == 0 ? 1 : n * fact(n - 1); }

static unsigned factorial(unsigned n) {
  unsigned r;
  if (n == 0) {
    r = 1;
  } else {
    r = factorial(n - 1);
    r = n + r;
  }
  return r;
}
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 8)
    return 0;
  check(factorial(n) == fact(n));
  return 0;
}
