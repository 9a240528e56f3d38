// Safe: McCarthy's function, with other constants.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

static int f(int x) {
  if (x > 200)
    return x - 7;
  return f(f(x + 8));
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 2000000000)
    return 0;
  int y = f(x);
  check(x > 200 || y == 194);
  check(x <= 200 || y == x - 7);
  return 0;
}
