// Safe: x is the sum and y the last term of a geometric series.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int z = __VERIFIER_nondet_int();
  unsigned k = __VERIFIER_nondet_uint();
  unsigned long long x = 1, y = z, c = 1;
  while (c < k) {
    check(x * z - x - y + 1 == 0);
    c = c + 1;
    x = x * z + 1;
    y = y * z;
  }
  check(x * z - x - y + 1 == 0);
  return 0;
}
