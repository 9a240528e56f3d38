// As inlined.c, with a wrong assertion.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static void check(int condition) {
  if (!condition)
    reach_error();
}

static int count = 0;

static int next(int step) {
  int before = count;
  if (step >= 0)
    count += step;
  return before;
}

int main(void) {
  int a = next(2), b = next(-3);
  check(a == 0 && b == 2 && count == -1);
  return 0;
}
