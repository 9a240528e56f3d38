// Cubes by their differences: the second difference grows by six in every round.
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
    second += 6;
    n++;
  }
  check(second == 6 * n + 6);
  return 0;
}
