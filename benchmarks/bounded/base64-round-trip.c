// Three bytes are encoded in base 64 and decoded again.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int value(int c) {
  if (c >= 'A' && c <= 'Z')
    return c - 'A';
  if (c >= 'a' && c <= 'z')
    return c - 'a' + 26;
  if (c >= '0' && c <= '9')
    return c - '0' + 52;
  return c == '+' ? 62 : 63;
}

static char symbol(int v) {
  if (v < 26)
    return 'A' + v;
  if (v < 52)
    return 'a' + v - 26;
  if (v < 62)
    return '0' + v - 52;
  return v == 62 ? '+' : '/';
}

int main(void) {
  unsigned char in[3], out[3];
  char text[4];
  for (int i = 0; i < 3; i++)
    in[i] = __VERIFIER_nondet_uchar();
  unsigned long bits = (unsigned long)in[0] << 16 | in[1] << 8 | in[2];
  for (int i = 0; i < 4; i++)
    text[i] = symbol(bits >> (18 - 6 * i) & 63);
  bits = 0;
  for (int i = 0; i < 4; i++)
    bits = bits << 6 | value(text[i]);
  for (int i = 0; i < 3; i++)
    out[i] = bits >> (16 - 8 * i);
  for (int i = 0; i < 3; i++)
    if (in[i] != out[i])
      reach_error();
  return 0;
}
