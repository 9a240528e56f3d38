// Unsafe (unreach-call): as recursive-mccarthy.c, but for: return x - 7 + (x == 207);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

static int f(int x) {
  if (x > 200)
    return x - 7 + (x == 207);
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
