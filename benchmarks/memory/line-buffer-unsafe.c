// Unsafe (valid-deref): 16 characters are kept: the zero behind them is written beyond the array.
extern char __VERIFIER_nondet_char(void);

int main(void) {
  char line[16];
  int length = 0;
  char c = __VERIFIER_nondet_char();
  while (c != '\n' && length < 16) {
    line[length++] = c;
    c = __VERIFIER_nondet_char();
  }
  line[length] = 0;
  return line[0];
}
