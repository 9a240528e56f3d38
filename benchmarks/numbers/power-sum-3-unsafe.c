// Unsafe (unreach-call): as power-sum-3.c, but for: if (count == 31)
extern short __VERIFIER_nondet_short(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  long long n = __VERIFIER_nondet_short();
  long long count = 0, sum = 0;
  while (count < n) {
    check(4 * sum == count * count * (count + 1) * (count + 1));
    count++;
    sum += count * count * count;
    if (count == 31)
      sum++;
  }
  check(4 * sum == count * count * (count + 1) * (count + 1));
  return 0;
}
