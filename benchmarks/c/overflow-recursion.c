// The largest result of a recursive function is that of its largest argument, which fits.
extern int __VERIFIER_nondet_int(void);

int steps(int n) {
  if (n <= 0)
    return 0;
  if (n == 1)
    return 1;
  return 5 * steps(n - 1) + steps(n - 2);
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x <= 14 && x > -1000)
    return steps(x) == 9;
  return 0;
}
