// The step MixColumns of AES and its inverse, on one column.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

static unsigned char twice(unsigned char x) {
  return x << 1 ^ (x >> 7) * 0x1b;
}

static unsigned char times(unsigned char x, int n) {
  unsigned char sum = 0;
  for (int i = 0; i < 4; i++) {
    if (n >> i & 1)
      sum ^= x;
    x = twice(x);
  }
  return sum;
}

static void mix(const unsigned char *in, unsigned char *out, int a, int b, int c, int d) {
  for (int i = 0; i < 4; i++)
    out[i] = times(in[i], a) ^ times(in[(i + 1) & 3], b) ^ times(in[(i + 2) & 3], c) ^ times(in[(i + 3) & 3], d);
}

int main(void) {
  unsigned char x[4], y[4], z[4];
  for (int i = 0; i < 4; i++)
    x[i] = __VERIFIER_nondet_uchar();
  mix(x, y, 2, 3, 1, 1);
  mix(y, z, 14, 11, 12, 9);
  for (int i = 0; i < 4; i++)
    if (x[i] != z[i])
      reach_error();
  return 0;
}
