// A stepper motor: position and number of steps have the same parity.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned int steps = 0;
  int position = 0;
  while (steps < 100000) {
    if (__VERIFIER_nondet_int() && position < 200)
      position++;
    else
      position--;
    if (position < -200)
      position += 2;
    steps++;
    if (position > 200 || position < -200)
      reach_error();
  }
  return 0;
}
