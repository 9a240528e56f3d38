// Safe: Each character becomes at most two, so 2 * 4 + 1 bytes are enough for four characters and the zero.
extern char __VERIFIER_nondet_char(void);

int main(void) {
  char escaped[2 * 4 + 1];
  int length = 0;
  for (int i = 0; i < 4; i++) {
    char c = __VERIFIER_nondet_char();
    if (c == '"')
      escaped[length++] = '\\';
    escaped[length++] = c;
  }
  escaped[length] = 0;
  return length;
}
