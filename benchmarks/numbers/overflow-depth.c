// Safe: The depth of a recursion that halves is at most 31, so that the sum of depths fits.
extern int __VERIFIER_nondet_int(void);

static int weight;

static int depth(int n) {
  if (n <= 1)
    return 0;
  return depth(n / 2) + 1;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  weight = depth(n) * 60000000;
  return 0;
}
