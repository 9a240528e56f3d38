// Ends: n / 10 is smaller than n, unless n is 0.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), digits = 0;
  do {
    n /= 10;
    digits++;
  } while (n);
  return (int)digits;
}
