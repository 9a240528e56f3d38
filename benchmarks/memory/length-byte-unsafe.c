// Unsafe (conversion): A packet is announced by a byte that holds its length. A text of 256 bytes is not cut: its
// length does not fit the byte, which announces none.
extern int __VERIFIER_nondet_int(void);

static unsigned char announced(int length) {
  if (length > 256)
    length = 256;
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
