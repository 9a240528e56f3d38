// The operation is evaluated only where it fits.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  int next = x < 2147483647 ? x + 1 : 0;
  return x > -2147483647 && x - 1 >= -2147483647 && next;
}
