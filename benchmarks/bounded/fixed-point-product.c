// A product of 16.16 fixed-point numbers below one stays below one.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int product(int x, int y) {
  return (int)((long)x * y >> 16);
}

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x < 0 || x >= 1 << 16 || y < 0 || y >= 1 << 16)
    return 0;
  int z = product(x, y);
  if (z > x || z > y)
    reach_error();
  return 0;
}
