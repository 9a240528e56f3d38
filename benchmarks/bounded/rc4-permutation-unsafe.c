// The key schedule of a small RC4 only swaps, so its table stays a permutation.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned char s[8], key[4];
  unsigned seen = 0;
  int j = 0;
  for (int i = 0; i < 4; i++)
    key[i] = __VERIFIER_nondet_uchar();
  for (int i = 0; i < 8; i++)
    s[i] = i;
  for (int i = 0; i < 8; i++) {
    j = (j + s[i] + key[i & 3]) & 7;
    unsigned char t = s[i];
    s[i] = s[j];
    s[j] = i;
  }
  for (int i = 0; i < 8; i++)
    seen |= 1u << s[i];
  if (seen != 0xff)
    reach_error();
  return 0;
}
