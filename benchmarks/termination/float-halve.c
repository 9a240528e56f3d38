// Ends after at most ten steps.
extern double __VERIFIER_nondet_double(void);

int main(void) {
  double x = __VERIFIER_nondet_double();
  int count = 0;
  if (!(x >= 0.0 && x <= 1000.0)) return 0;
  while (x > 1.0) {
    x = x / 2;
    count++;
  }
  return count;
}
