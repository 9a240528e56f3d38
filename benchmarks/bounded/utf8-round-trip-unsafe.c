// A code point is written as UTF-8 and read back.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int put(unsigned c, unsigned char *out) {
  if (c < 0x80) {
    out[0] = c;
    return 1;
  }
  if (c < 0x800) {
    out[0] = 0xc0 | c >> 6;
    out[1] = 0x80 | (c & 0x3f);
    return 2;
  }
  if (c < 0x11000) {
    out[0] = 0xe0 | c >> 12;
    out[1] = 0x80 | (c >> 6 & 0x3f);
    out[2] = 0x80 | (c & 0x3f);
    return 3;
  }
  out[0] = 0xf0 | c >> 18;
  out[1] = 0x80 | (c >> 12 & 0x3f);
  out[2] = 0x80 | (c >> 6 & 0x3f);
  out[3] = 0x80 | (c & 0x3f);
  return 4;
}

static unsigned get(const unsigned char *in, int n) {
  if (n == 1)
    return in[0];
  unsigned c = in[0] & (0x7f >> n);
  for (int i = 1; i < n; i++)
    c = c << 6 | (in[i] & 0x3f);
  return c;
}

int main(void) {
  unsigned char buffer[4];
  unsigned c = __VERIFIER_nondet_uint();
  if (c > 0x10ffff)
    return 0;
  int n = put(c, buffer);
  if (get(buffer, n) != c)
    reach_error();
  return 0;
}
