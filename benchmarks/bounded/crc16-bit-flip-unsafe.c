// A single flipped bit changes the CRC.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

static unsigned short crc(const unsigned char *data, int n) {
  unsigned short r = 0xffff;
  for (int i = 0; i < n; i++) {
    r ^= (unsigned short)(data[i] << 8);
    for (int k = 0; k < 8; k++)
      r = r & 0x8000 ? r << 1 ^ 0x0000 : r << 1;
  }
  return r;
}

int main(void) {
  unsigned char x[4];
  for (int i = 0; i < 4; i++)
    x[i] = __VERIFIER_nondet_uchar();
  unsigned short before = crc(x, 4);
  unsigned bit = __VERIFIER_nondet_uint();
  if (bit >= 32)
    return 0;
  x[bit / 8] ^= 1 << bit % 8;
  if (crc(x, 4) == before)
    reach_error();
  return 0;
}
