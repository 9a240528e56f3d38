// Safe: Two characters for each of n bytes, and the zero at the end: the block has 2 n + 1 bytes.
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  static const char digits[] = "0123456789abcdef";
  unsigned char bytes[3];
  for (int i = 0; i < 3; i++)
    bytes[i] = __VERIFIER_nondet_uchar();
  char *text = malloc(2 * 3 + 1);
  for (int i = 0; i < 3; i++) {
    text[2 * i] = digits[bytes[i] >> 4];
    text[2 * i + 1] = digits[bytes[i] & 15];
  }
  text[6] = 0;
  free(text);
  return 0;
}
