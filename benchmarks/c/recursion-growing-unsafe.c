// As recursion-growing.c, with a limit that pell(24) exceeds by one.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int pell(int n) {
  if (n <= 0)
    return 0;
  if (n == 1)
    return 1;
  return 2 * pell(n - 1) + pell(n - 2);
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x <= 24 && x > -1000) {
    int result = pell(x);
    if (result < x - 1 || result > 543339719)
      reach_error();
  }
}
