// A step to the next number, which is positive.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static void check(int condition) {
  if (!condition)
    reach_error();
}

static int step(int x) { return x + 1; }

int main(void) {
  int n = __VERIFIER_nondet_int(), x = 0;
  while (x < n) {
    x = step(x);
    check(x > 0);
  }
  return 0;
}
