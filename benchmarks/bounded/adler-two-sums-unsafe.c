// Adler's checksum in one pass and with the reduction put off are the same.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned char x[8];
  unsigned a = 1, b = 0, c = 1, d = 0;
  for (int i = 0; i < 8; i++)
    x[i] = __VERIFIER_nondet_uchar();
  for (int i = 0; i < 8; i++) {
    a = (a + x[i]) % 65521;
    b = (b + a) % 65521;
  }
  for (int i = 0; i < 8; i++) {
    c += x[i];
    d += c;
  }
  if (a != c % 65521 || b != d % 65521 || a == 2000)
    reach_error();
  return 0;
}
