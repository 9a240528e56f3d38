// Unsafe (valid-deref): The arrays live in the blocks of the branches, and end before the message is written.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  const char *message = "";
  if (__VERIFIER_nondet_int() > 0) {
    char text[2];
    text[0] = '+';
    text[1] = 0;
    message = text;
  }
  return message[0];
}
