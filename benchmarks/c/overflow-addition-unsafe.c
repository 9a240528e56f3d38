// A sum of two inputs that are bounded.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x > 1000000000 || x < -1000000000 || y > 1200000000 || y < -1000000000)
    return 0;
  return x + y != 0;
}
