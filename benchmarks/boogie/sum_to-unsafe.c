// As sum_to.c, but the loop begins with the number 2.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int n = __VERIFIER_nondet_int(), i = 1, sum = 0;
  if (n < 0 || n > 1000)
    return 0;
  while (i < n) {
    i++;
    sum += i;
  }
  check(sum >= n);
  return 0;
}
