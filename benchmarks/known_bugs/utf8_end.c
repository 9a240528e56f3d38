/* A decoder of UTF-8: a text that ends within a character is read beyond its end. */
#include <stdlib.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_assume(int);

static unsigned characters(const unsigned char *text, size_t n) {
  unsigned count = 0;
  size_t at = 0;
  while (at < n) {
    unsigned char first = text[at];
    size_t more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
#ifdef FIXED
    if (more >= n - at) break;
#endif
    for (size_t i = 1; i <= more; i++)
      if (text[at + i] < 0x80 || text[at + i] > 0xbf) return count;
    at += 1 + more;
    count++;
  }
  return count;
}

int main(void) {
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n >= 1 && n <= 65536);
  unsigned char *text = malloc(n);
  if (text) characters(text, n);
  free(text);
  return 0;
}
