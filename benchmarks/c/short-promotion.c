// Short operands are computed in int.
extern short __VERIFIER_nondet_short(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  short a = 32767, b = __VERIFIER_nondet_short();
  int sum = a + b;
  short narrow = a + b;
  if (sum != a + (int)b)
    reach_error();
  if (b == 1 && (sum != 32768 || narrow != -32768))
    reach_error();
  return 0;
}
