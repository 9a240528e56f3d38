// As swap3, but the first and the last value are equal.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static void check(int condition) {
  if (!condition)
    reach_error();
}
int main(void) {
  int a = 1, b = 2, c = 1;
  while (__VERIFIER_nondet_int()) {
    int first = a;
    check(a != b);
    a = b;
    b = c;
    c = first;
  }
  return 0;
}
