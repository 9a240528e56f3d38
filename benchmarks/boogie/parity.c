// The last bit of a counter changes in every round.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static void check(int condition) {
  if (!condition)
    reach_error();
}
int main(void) {
  int n = 0, odd = 0;
  while (n < 1000000 && __VERIFIER_nondet_int()) {
    n++;
    odd = !odd;
    check(n != 7 || odd);
  }
  check(!odd || n >= 1);
  return 0;
}
