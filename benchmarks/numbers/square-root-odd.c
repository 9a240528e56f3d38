// Safe: The integer square root by sums of odd numbers.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  long long a = 0, s = 1, t = 1;
  while (s <= n) {
    check(t == 2 * a + 1);
    check(s == (a + 1) * (a + 1));
    a++;
    t += 2;
    s += t;
  }
  check(t * t - 4 * s + 2 * t + 1 == 0);
  check(n < 0 || a * a <= n);
  return 0;
}
