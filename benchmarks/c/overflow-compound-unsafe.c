// Compound assignments to int and, in int, to short.
extern short __VERIFIER_nondet_short(void);

int main(void) {
  short s = __VERIFIER_nondet_short();
  s += 1;
  s *= s;
  int x = s;
  x -= 10;
  x *= 70000;
  return x == 0;
}
