/* A decoder of %XY: of an escape at the end of the text, a digit is read that is not there. */
#include <stdlib.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_assume(int);

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static long decode(const char *in, size_t n, char *out) {
  size_t written = 0;
  for (size_t i = 0; i < n; i++) {
    char c = in[i];
    if (c == '%') {
#ifdef FIXED
      if (n - i < 3) return -1;
#else
      if (n - i < 2) return -1;
#endif
      int high = digit(in[i + 1]), low = digit(in[i + 2]);
      if (high < 0 || low < 0) return -1;
      c = (char)(high * 16 + low);
      i += 2;
    }
    out[written++] = c;
  }
  return (long)written;
}

int main(void) {
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n >= 1 && n <= 4096);
  char *in = malloc(n), *out = malloc(n);
  if (in && out) decode(in, n, out);
  free(in);
  free(out);
  return 0;
}
