// Safe: Records of type, length and value: the value is read only if header and value lie in the packet.
extern unsigned char __VERIFIER_nondet_uchar(void);
static unsigned char packet[12];

int main(void) {
  for (int i = 0; i < 12; i++)
    packet[i] = __VERIFIER_nondet_uchar();
  unsigned position = 0, sum = 0;
  while (position + 2 <= 12) {
    unsigned length = packet[position + 1];
    if (position + 2 + length > 12)
      break;
    for (unsigned i = 0; i < length; i++)
      sum += packet[position + 2 + i];
    position += 2 + length;
  }
  return sum > 1000;
}
