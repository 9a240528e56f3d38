// The smallest number has no opposite.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < -2147483647 - 1)
    return 0;
  return -x == 3;
}
