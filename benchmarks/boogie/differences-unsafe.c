// As differences, but the second difference grows by five when it is 18.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static void check(int condition) {
  if (!condition)
    reach_error();
}
int main(void) {
  int count = __VERIFIER_nondet_int(), n = 0, second = 6;
  if (count > 1000000)
    return 0;
  while (n < count) {
    second += second == 18 ? 5 : 6;
    n++;
  }
  check(second == 6 * n + 6);
  return 0;
}
