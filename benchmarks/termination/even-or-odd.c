// Ends: n falls in both cases.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  while (n > 2) {
    if (n % 2 == 0) n /= 2;
    else n -= 3;
  }
  return 0;
}
