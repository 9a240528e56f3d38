// Long division of bytes by shifts and subtractions.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar(), d = __VERIFIER_nondet_uchar();
  unsigned q = 0, r = 0;
  if (d == 0)
    return 0;
  for (int i = 7; i >= 0; i--) {
    r = r << 1 | (n >> i & 1);
    if (r > d) {
      r -= d;
      q |= 1u << i;
    }
  }
  if (q != n / d || r != n % d)
    reach_error();
  return 0;
}
