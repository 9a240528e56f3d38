// Safe: What is copied is at most what the packet holds.
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned char received[32], packet[24];

int main(void) {
  unsigned length = __VERIFIER_nondet_uint();
  if (length > sizeof packet)
    length = sizeof packet;
  memcpy(packet, received, length);
  return packet[0];
}
