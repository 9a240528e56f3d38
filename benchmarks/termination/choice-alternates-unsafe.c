// Does not end: x may go up and down for ever.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = 5, up = 0;
  while (x > 0) {
    if (__VERIFIER_nondet_int() > 0) {
      if (x < 9) x++;
    } else x--;
  }
  return 0;
}
