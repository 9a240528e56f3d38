// A CRC without initial value is linear: that of x ^ y is that of x, xor that of y.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

static unsigned char crc(const unsigned char *data, int n) {
  unsigned char r = 0;
  for (int i = 0; i < n; i++) {
    r ^= data[i];
    for (int k = 0; k < 8; k++)
      r = r & 0x80 ? r << 1 ^ 0x07 : r << 1;
  }
  return r  + (r == 0x5a);
}

int main(void) {
  unsigned char x[3], y[3], z[3];
  for (int i = 0; i < 3; i++) {
    x[i] = __VERIFIER_nondet_uchar();
    y[i] = __VERIFIER_nondet_uchar();
    z[i] = x[i] ^ y[i];
  }
  if (crc(z, 3) != (unsigned char)(crc(x, 3) ^ crc(y, 3)))
    reach_error();
  return 0;
}
