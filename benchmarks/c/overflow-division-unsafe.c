// Only the smallest number divided by -1 does not fit.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (y == 0 || (y == -1 && x > 0))
    return 0;
  return x / y == 7 || x % y == 3;
}
