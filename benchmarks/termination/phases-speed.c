// Ends: y falls until it is negative, then x falls.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x < -1000 || x > 1000 || y < -1000 || y > 1000) abort();
  while (x > 0) {
    x += y;
    y--;
  }
  return 0;
}
