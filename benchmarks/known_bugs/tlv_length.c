/* A parser of type, length, value: the check of the length forgets the header of two bytes. */
#include <stdlib.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_assume(int);

static unsigned checksum(const unsigned char *data, size_t n) {
  unsigned sum = 0;
  size_t at = 0;
  while (n - at >= 2) {
    size_t length = data[at + 1];
#ifdef FIXED
    if (length > n - at - 2) break;
#else
    if (length > n - at) break;
#endif
    for (size_t i = 0; i < length; i++) sum += data[at + 2 + i];
    at += 2 + length;
  }
  return sum;
}

int main(void) {
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n >= 1 && n <= 65536);
  unsigned char *data = malloc(n);
  if (data) checksum(data, n);
  free(data);
  return 0;
}
