// Unsafe (valid-deref): The comparison forgets the two bytes of the header: a value at the end of the packet
// is read beyond it.
extern unsigned char __VERIFIER_nondet_uchar(void);
static unsigned char packet[12];

int main(void) {
  for (int i = 0; i < 12; i++)
    packet[i] = __VERIFIER_nondet_uchar();
  unsigned position = 0, sum = 0;
  while (position + 2 <= 12) {
    unsigned length = packet[position + 1];
    if (position + length > 12)
      break;
    for (unsigned i = 0; i < length; i++)
      sum += packet[position + 2 + i];
    position += 2 + length;
  }
  return sum > 1000;
}
