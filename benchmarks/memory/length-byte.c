// Safe: A packet of at most 255 bytes is announced by a byte that holds its length: longer texts are cut first.
extern int __VERIFIER_nondet_int(void);

static unsigned char announced(int length) {
  if (length > 255)
    length = 255;
  return length;
}

int main(void) {
  int sent = 0;
  while (sent < 100000 && __VERIFIER_nondet_int()) {
    int length = __VERIFIER_nondet_int();
    if (length < 0)
      continue;
    sent += announced(length);
  }
  return sent > 0;
}
