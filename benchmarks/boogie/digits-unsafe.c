// As digits, but a number may be 10.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static void check(int condition) {
  if (!condition)
    reach_error();
}
int main(void) {
  int count = __VERIFIER_nondet_int(), sum = 0, n = 0;
  if (count > 1000000)
    return 0;
  while (n < count) {
    int digit = __VERIFIER_nondet_int();
    if (digit < 0 || digit > 10)
      return 0;
    sum += digit;
    n++;
  }
  check(0 <= sum && sum <= 9 * n);
  return 0;
}
