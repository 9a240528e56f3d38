// Bytes are written as hexadecimal digits and read back.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int digit(int c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return -1;
}

int main(void) {
  unsigned char in[4], out[4];
  char text[8];
  for (int i = 0; i < 4; i++)
    in[i] = __VERIFIER_nondet_uchar();
  for (int i = 0; i < 4; i++) {
    text[2 * i] = "0123456789abcdef"[in[i] >> 4];
    text[2 * i + 1] = "0123456789abcdef"[in[i] & 15];
  }
  for (int i = 0; i < 4; i++)
    out[i] = digit(text[2 * i]) << 4 | digit(text[2 * i + 1]);
  for (int i = 0; i < 4; i++)
    if (in[i] != out[i])
      reach_error();
  return 0;
}
