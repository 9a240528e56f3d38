// Unsafe (unreach-call): as power-sum-4-unsigned.c, but for: check(30 * x == 6 * y * y * y * y * y + 15 * y *
// y * y * y + 10 * y * y * y + y);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned y = 0, x = 0, c = 0;
  while (c < n) {
    c++;
    y++;
    x = y * y * y * y + x;
  }
  check(30 * x == 6 * y * y * y * y * y + 15 * y * y * y * y + 10 * y * y * y + y);
  return 0;
}
