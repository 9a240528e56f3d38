/* A decoder of base64: the size of the output leaves out the bytes of an incomplete last group. */
#include <stdlib.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_assume(int);

static unsigned value(unsigned char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : 63;
}

static size_t decoded_size(size_t n) {
#ifdef FIXED
  return n / 4 * 3 + (n % 4 == 0 ? 0 : n % 4 - 1);
#else
  return n / 4 * 3;
#endif
}

static size_t decode(const unsigned char *in, size_t n, unsigned char *out) {
  size_t at = 0, written = 0;
  for (; n - at >= 4; at += 4) {
    out[written++] = value(in[at]) * 4 + value(in[at + 1]) / 16;
    out[written++] = value(in[at + 1]) % 16 * 16 + value(in[at + 2]) / 4;
    out[written++] = value(in[at + 2]) % 4 * 64 + value(in[at + 3]);
  }
  if (n - at >= 2) out[written++] = value(in[at]) * 4 + value(in[at + 1]) / 16;
  if (n - at >= 3) out[written++] = value(in[at + 1]) % 16 * 16 + value(in[at + 2]) / 4;
  return written;
}

int main(void) {
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n >= 4 && n <= 4096);
  unsigned char *in = malloc(n), *out = malloc(decoded_size(n));
  if (in && out) decode(in, n, out);
  free(in);
  free(out);
  return 0;
}
