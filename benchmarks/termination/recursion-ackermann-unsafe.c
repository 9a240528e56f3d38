// Does not end: ackermann(m, 0) calls ackermann(m, 1), which calls ackermann(m, 0).
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
int main(void) {
  unsigned m = __VERIFIER_nondet_uint();
  return (int)ackermann(m > 3 ? 3 : m, 2);
}
