// Safe: At most 15 characters of a line are kept, so that the zero behind them is in the array.
extern char __VERIFIER_nondet_char(void);

int main(void) {
  char line[16];
  int length = 0;
  char c = __VERIFIER_nondet_char();
  while (c != '\n' && length < 15) {
    line[length++] = c;
    c = __VERIFIER_nondet_char();
  }
  line[length] = 0;
  return line[0];
}
