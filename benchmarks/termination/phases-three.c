// Ends: z falls below 0, then y, then x.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), z = __VERIFIER_nondet_int();
  if (x < -90 || x > 90 || y < -90 || y > 90 || z < -90 || z > 90) abort();
  while (x > 0) {
    x += y;
    y += z;
    z--;
  }
  return 0;
}
