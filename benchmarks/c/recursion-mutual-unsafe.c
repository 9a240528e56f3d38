// Even and odd call each other.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int odd(unsigned n);
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  int e = even(n);
  if (e != 0 && e != 1)
    reach_error();
  if (n == 4 && e)
    reach_error();
  return 0;
}
