// Safe: The text of each branch is in an array that lives until the message is written.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  const char *message = "";
  char text[2];
  if (__VERIFIER_nondet_int() > 0) {
    text[0] = '+';
    text[1] = 0;
    message = text;
  }
  return message[0];
}
