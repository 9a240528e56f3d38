/* A decoder of back references: a distance may lead to what is in front of the output. */
#include <stdlib.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_assume(int);

static long unpack(const unsigned char *in, size_t n, unsigned char *out, size_t size) {
  size_t from = 0, to = 0;
  while (from < n) {
    unsigned char token = in[from++];
    if (token < 128) {
      if (to >= size) return -1;
      out[to++] = token;
      continue;
    }
    if (from >= n) return -1;
    size_t length = token - 126u, distance = in[from++] + 1u;
#ifdef FIXED
    if (distance > to || length > size - to) return -1;
#else
    if (length > size - to) return -1;
#endif
    for (size_t i = 0; i < length; i++) out[to + i] = out[to - distance + i];
    to += length;
  }
  return (long)to;
}

int main(void) {
  size_t n = __VERIFIER_nondet_ulong(), size = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n >= 1 && n <= 4096 && size >= 1 && size <= 65536);
  unsigned char *in = malloc(n), *out = malloc(size);
  if (in && out) unpack(in, n, out, size);
  free(in);
  free(out);
  return 0;
}
