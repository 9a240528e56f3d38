// Safe: Multiplication with four cases for the factors' lowest bits, as in prod4br.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  if (y < 1)
    return 0;
  long long a = x, b = y, p = 1, q = 0;
  while (1) {
    check(q + a * b * p == (long long)x * y);
    if (a == 0 || b == 0)
      break;
    if (a % 2 == 0 && b % 2 == 0) {
      a = a / 2;
      b = b / 2;
      p = 4 * p;
    } else if (a % 2 != 0 && b % 2 == 0) {
      a = a - 1;
      q = q + b * p;
    } else if (a % 2 == 0 && b % 2 != 0) {
      b = b - 1;
      q = q + a * p;
    } else {
      a = a - 1;
      b = b - 1;
      q = q + (a + b + 1) * p;
    }
  }
  check(q == (long long)x * y);
  return 0;
}
