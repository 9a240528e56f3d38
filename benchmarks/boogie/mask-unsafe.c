// As mask.c, but one is subtracted.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  unsigned char x = (unsigned char)__VERIFIER_nondet_int();
  unsigned char y = x - 1;
  check(y <= x && (y & x) == y);
  return 0;
}
