// chcverify: --engine congruences --data-model ILP32 --timeout 600
// The invariant is a polynomial of degree 5; all of it wraps around.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
  if (!holds) reach_error();
}

int main(void) {
  int limit = __VERIFIER_nondet_int(), i = 0;
  int base = 0, sum = 0;
  for (;;) {
    check(30 * sum == ((6 * base + 15) * base + 10) * base * base * base - base);
    if (i >= limit) break;
    i++;
    base++;
    sum += base * base * base * base;
  }
  return 0;
}
