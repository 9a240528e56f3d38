// Does not end: is_even(1) calls is_odd(2), which calls is_even(1).
extern int __VERIFIER_nondet_int(void);

static int is_odd(int n);
static int is_even(int n) { return n == 0 ? 1 : is_odd(n == 1 ? 2 : n - 1); }
static int is_odd(int n) { return n == 1 ? 1 : is_even(n - 1); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  return n < 1 || n > 100 ? 0 : is_even(n);
}
