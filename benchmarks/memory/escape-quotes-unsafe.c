// Unsafe (valid-deref): Room for one escaped character only: two quotes write beyond the array.
extern char __VERIFIER_nondet_char(void);

int main(void) {
  char escaped[4 + 2];
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
