// Unsafe (valid-deref): The block is one byte smaller than the ring: its last byte is written beyond the
// block.
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar();
  if (n < 2 || n > 16)
    return 0;
  unsigned char *ring = malloc(n - 1);
  unsigned write = 0;
  while (__VERIFIER_nondet_int()) {
    ring[write] = __VERIFIER_nondet_uchar();
    write = write + 1 < n ? write + 1 : 0;
  }
  free(ring);
  return 0;
}
