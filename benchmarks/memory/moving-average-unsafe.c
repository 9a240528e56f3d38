// Unsafe (valid-deref): The sum runs to 8, one sample beyond the window.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int window[8] = {0}, position = 0;
  long sum = 0;
  while (__VERIFIER_nondet_int()) {
    window[position] = __VERIFIER_nondet_int();
    position = (position + 1) % 8;
    sum = 0;
    for (int i = 0; i <= 8; i++)
      sum += window[i];
  }
  return sum > 100;
}
