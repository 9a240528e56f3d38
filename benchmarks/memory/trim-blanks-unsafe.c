// Unsafe (valid-deref): The length is not compared with 0: of blanks only, the byte before the array is read.
extern char __VERIFIER_nondet_char(void);

int main(void) {
  char text[4];
  for (int i = 0; i < 4; i++)
    text[i] = __VERIFIER_nondet_char() ? 'x' : ' ';
  int length = 4;
  while (text[length - 1] == ' ')
    length--;
  return length;
}
