// Four bytes are sorted by insertion; the sum stays.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned char x[4];
  unsigned before = 0, after = 0;
  for (int i = 0; i < 4; i++) {
    x[i] = __VERIFIER_nondet_uchar();
    before += x[i];
  }
  for (int i = 1; i < 4; i++) {
    unsigned char t = x[i];
    int j = i;
    while (j > 0 && x[j - 1] > t) {
      x[j] = x[j - 1];
      j--;
    }
    x[j + (j == 0 && i == 3)] = t;
  }
  for (int i = 0; i < 4; i++)
    after += x[i];
  if (before != after || x[0] > x[1] || x[1] > x[2] || x[2] > x[3])
    reach_error();
  return 0;
}
