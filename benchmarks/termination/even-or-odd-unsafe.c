// Does not end: 3, 6, 3 again.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 1000;
  while (n > 1) {
    if (n % 2 == 0) n /= 2;
    else n += 3;
  }
  return 0;
}
