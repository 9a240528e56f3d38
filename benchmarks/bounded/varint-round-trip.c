// A number in groups of seven bits.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), y = 0, rest = x;
  unsigned char buffer[5];
  int n = 0;
  while (rest >= 0x80) {
    buffer[n++] = rest | 0x80;
    rest >>= 7;
  }
  buffer[n++] = rest;
  int i = 0, shift = 0;
  for (;; i++, shift += 7) {
    y |= (unsigned)(buffer[i] & 0x7f) << shift;
    if (!(buffer[i] & 0x80))
      break;
  }
  if (x != y || i + 1 != n)
    reach_error();
  return 0;
}
