// Unsafe (valid-deref): Lengths up to 7 are accepted: then the checksum would be the ninth byte.
extern unsigned char __VERIFIER_nondet_uchar(void);

static int is_intact(const unsigned char *frame) {
  unsigned length = frame[0], sum = 0;
  if (length > 7)
    return 0;
  for (unsigned i = 0; i < length; i++)
    sum += frame[1 + i];
  return (sum & 255) == frame[1 + length];
}

int main(void) {
  unsigned char frame[8];
  for (int i = 0; i < 8; i++)
    frame[i] = __VERIFIER_nondet_uchar();
  return is_intact(frame);
}
