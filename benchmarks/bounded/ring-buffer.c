// A ring buffer of four bytes gives back what was put in, in order.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned char ring[4], sent[8], got[8];
  int head = 0, tail = 0, used = 0, s = 0, g = 0;
  for (int i = 0; i < 8; i++) {
    if (__VERIFIER_nondet_uchar() & 1) {
      if (used < 4) {
        ring[head] = sent[s++] = __VERIFIER_nondet_uchar();
        head = (head + 1) & 3;
        used++;
      }
    } else if (used > 0) {
      got[g++] = ring[tail];
      tail = (tail + 1) & 3;
      used--;
    }
  }
  for (int i = 0; i < g; i++)
    if (sent[i] != got[i])
      reach_error();
  return 0;
}
