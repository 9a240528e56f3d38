// The sum of the numbers up to n is not below n.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, sum = 0;
  if (n < 0 || n > 1000)
    return 0;
  while (i < n) {
    i++;
    sum += i;
  }
  check(sum >= n);
  return 0;
}
