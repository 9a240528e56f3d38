/* Labels of a name, each behind its length, are copied to a buffer of 64 characters: the point between them and the
   zero at the end are not counted. */
#include <stdlib.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_assume(int);
#define MOST 64

static int read_name(const unsigned char *packet, size_t n, char *name) {
  size_t at = 0, used = 0;
  while (at < n && packet[at] != 0) {
    size_t length = packet[at++];
    if (length > n - at) return -1;
#ifdef FIXED
    if (length + 2 > MOST - used) return -1;
#else
    if (length > MOST - used) return -1;
#endif
    for (size_t i = 0; i < length; i++) name[used++] = (char)packet[at++];
    name[used++] = '.';
  }
  name[used] = 0;
  return 0;
}

int main(void) {
  char name[MOST];
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n >= 1 && n <= 512);
  unsigned char *packet = malloc(n);
  if (packet) read_name(packet, n, name);
  free(packet);
  return 0;
}
