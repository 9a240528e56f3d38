// Ends: the budget falls, whatever the number.
extern float __VERIFIER_nondet_float(void);

int main(void) {
  float x = __VERIFIER_nondet_float();
  int budget = 100;
  while (x > 0.25f && budget > 0) {
    x = x * 0.5f;
    budget--;
  }
  return 0;
}
