// As add, but for numbers below zero the last step is left out.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static void check(int condition) {
  if (!condition)
    reach_error();
}
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x < -1000000 || x > 1000000 || y < -1000000 || y > 1000000)
    return 0;
  int sum = x, left = y;
  while (left > 0) {
    sum++;
    left--;
  }
  while (left < -1) {
    sum--;
    left++;
  }
  check(sum == x + y);
  return 0;
}
