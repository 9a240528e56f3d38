// Safe: Blanks at the end are dropped; a text of blanks only ends the loop at length 0.
extern char __VERIFIER_nondet_char(void);

int main(void) {
  char text[4];
  for (int i = 0; i < 4; i++)
    text[i] = __VERIFIER_nondet_char() ? 'x' : ' ';
  int length = 4;
  while (length > 0 && text[length - 1] == ' ')
    length--;
  return length;
}
