// Unsafe (valid-deref): The length is compared with the size of a larger packet.
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned char received[32], packet[24];

int main(void) {
  unsigned length = __VERIFIER_nondet_uint();
  if (length > sizeof received)
    length = sizeof received;
  memcpy(packet, received, length);
  return packet[0];
}
