// chcverify: --engine congruences --timeout 600 --data-model ILP32
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition) reach_error();
}

// The sum of 0, 1, ..., last: after the loop next is last + 1, or 0 if the loop was never entered.
int main(void) {
  int last = __VERIFIER_nondet_int(), next = 0, sum = 0;
  while (1) {
    check(2 * sum == next * (next - 1));
    if (next > last) break;
    sum = sum + next;
    next = next + 1;
  }
  check(2 * sum == next * last);
  return 0;
}
