// Ends: each round of the outer loop skips blanks or a word, so that p moves on.
extern char __VERIFIER_nondet_char(void);

int main(void) {
  char text[20];
  for (int i = 0; i < 19; i++) text[i] = __VERIFIER_nondet_char();
  text[19] = 0;
  int letters = 0;
  char *p = text;
  while (*p) {
    while (*p == ' ') p++;
    while (*p && *p != ' ') {
      p++;
      letters++;
    }
  }
  return letters;
}
