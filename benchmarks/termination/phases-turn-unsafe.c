// Does not end: x turns at 0, too.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int(), up = 1;
  if (n < 1 || n > 100000 || x < 0) abort();
  while (x >= 0) {
    if (up && x < n) x++;
    else {
      up = 0;
      x--;
    }
    if (x == 0) up = 1;
  }
  return 0;
}
